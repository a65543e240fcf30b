"""A server that says exactly the bytes that it is told to: raw.py DIRECTORY PORT.

It knows nothing of responses. The path of a request is a script, `/play/STEP/STEP…`, which is carried out when the
request has arrived:

  early             before the request's body is read; only as the first step
  say.BYTES         says these bytes, in base64 as it is for URLs, without padding
  fill.BYTES.COUNT  says them so many times
  gzip.BYTES.COUNT.DEPTH  says what they are so many times, packed by gzip so often
  wait.COUNT        waits so many milliseconds
  fin, rst          ends the connection, in order or by a reset

Without an end, the connection waits for its next request. `/tally?of=AGENT` tells what was seen of an agent; any other
path is answered with a 204. A line of DIRECTORY/raw.log is written for each request that has arrived, before it is
answered, with its head as it came.
"""

import base64
import collections
import functools
import hashlib
import itertools
import json
import pathlib
import socket
import struct
import sys
import threading
import zlib

# How many bytes are handed to the system at once.
PIECE = 1 << 16


class Ended(Exception):
    """The connection is over."""


class Tally:
    """What was seen of each agent."""

    def __init__(self):
        self.lock = threading.Lock()
        self.counts = collections.defaultdict(collections.Counter)
        self.connections = collections.defaultdict(set)

    def count(self, agent, **changes):
        with self.lock:
            self.counts[agent].update(changes)

    def meet(self, agent, connection):
        with self.lock:
            self.connections[agent].add(connection)
            self.counts[agent]["requests"] += 1

    def of(self, agent):
        with self.lock:
            counts = self.counts[agent]
            return {
                "requests": counts["requests"],
                "connections": len(self.connections[agent]),
                "open": counts["begun"] - counts["ended"],
                "sent": counts["sent"],
            }


@functools.cache
def packed(content, count, depth):
    # In pieces, since what they unpack to may be larger than memory.
    size = max(1, PIECE // len(content))
    pieces = itertools.chain(itertools.repeat(content * size, count // size), [content * (count % size)])
    for _ in range(depth):
        pieces = deflated(pieces)
    return b"".join(pieces)


def deflated(pieces):
    # The last number asks for gzip's wrapping.
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    for piece in pieces:
        yield packer.compress(piece)
    yield packer.flush()


class Conversation:
    """One connection: requests as they come, each with its script."""

    def __init__(self, number, plain, log, tally, secured=None):
        self.number = number
        self.plain = plain
        self.socket = secured or plain
        self.log = log
        self.tally = tally
        self.rest = b""
        self.agent = None

    def serve(self):
        try:
            while True:
                self.exchange()
        except (Ended, OSError):
            pass
        finally:
            self.socket.close()
            if self.agent is not None:
                self.tally.count(self.agent, ended=1)

    def more(self):
        data = self.socket.recv(PIECE)
        if not data:
            raise Ended
        return data

    def read_head(self):
        while b"\r\n\r\n" not in self.rest:
            self.rest += self.more()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        return head

    def read_body(self, length):
        pieces, left = [self.rest[:length]], length - len(self.rest)
        self.rest = self.rest[length:]
        while left > 0:
            data = self.more()
            pieces.append(data[:left])
            self.rest = data[left:]
            left -= len(data)
        return b"".join(pieces)

    def exchange(self):
        head = self.read_head()
        method, target, _ = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ", 2)
        fields = {}
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.decode("latin-1").partition(":")
            fields[name.lower()] = value.strip()
        agent = fields.get("user-agent", "")
        if target.startswith("/tally?of="):
            return self.tell(target.partition("=")[2])
        if self.agent is None:
            self.agent = agent
            self.tally.count(agent, begun=1)
        steps = target.partition("?")[0].split("/")[2:] if target.startswith("/play/") else None
        is_early = bool(steps) and steps[0] == "early"
        body = b"" if is_early else self.read_body(int(fields.get("content-length", "0")))
        self.tally.meet(agent, self.number)
        line = {
            "agent": agent,
            "method": method,
            "target": target[:200],
            "status": 0,
            "key": fields.get("idempotency-key", ""),
            "connection": self.number,
            "protocol": "HTTP/1.1",
            "head": head.decode("latin-1") if len(head) < 2000 else "",
            "received": len(body),
            "digest": hashlib.sha256(body).hexdigest(),
        }
        self.log.write(json.dumps(line) + "\n")
        if steps is None:
            self.say(b"HTTP/1.1 204 No Content\r\n\r\n")
        else:
            self.play(steps[1:] if is_early else steps)

    def tell(self, agent):
        body = json.dumps(self.tally.of(agent)).encode()
        self.socket.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))

    def say(self, data):
        for start in range(0, len(data), PIECE):
            sent = self.socket.send(data[start : start + PIECE])
            self.tally.count(self.agent, sent=sent)
            if sent < len(data[start : start + PIECE]):
                return self.say(data[start + sent :])

    def play(self, steps):
        for step in steps:
            name, *arguments = step.split(".")
            getattr(self, "do_" + name)(*arguments)

    @staticmethod
    def decoded(text):
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

    def do_say(self, text):
        self.say(self.decoded(text))

    def do_fill(self, text, count):
        unit = self.decoded(text)
        most = max(1, PIECE // len(unit))
        left = int(count)
        while left > 0:
            self.say(unit * min(left, most))
            left -= most

    def do_gzip(self, text, count, depth):
        self.say(packed(self.decoded(text), int(count), int(depth)))

    def do_wait(self, count):
        threading.Event().wait(int(count) / 1000)

    def do_fin(self):
        # What has not been read would turn the end into a reset.
        self.socket.shutdown(socket.SHUT_WR)
        self.socket.settimeout(0.2)
        while self.socket.recv(PIECE):
            pass
        raise Ended

    def do_rst(self):
        # Of both, since a secured one is a socket of its own.
        for end in (self.plain, self.socket):
            if end.fileno() >= 0:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raise Ended


def main():
    directory = pathlib.Path(sys.argv[1])
    log = open(directory / "raw.log", "a", buffering=1)
    tally = Tally()
    listener = socket.create_server(("127.0.0.1", int(sys.argv[2])), backlog=512)
    number = 0
    while True:
        plain, _ = listener.accept()
        number += 1
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=Conversation(number, plain, log, tally).serve, daemon=True).start()


if __name__ == "__main__":
    main()
