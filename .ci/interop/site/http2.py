"""An HTTP/2 server that does what nginx cannot be asked for: http2.py DIRECTORY PORT.

By path it refuses streams, says goodbye, sends interim responses and trailers, and breaks off. Who does not speak
HTTP/2 is served as `raw.py` serves. It writes a line of DIRECTORY/http2.log for each request that has arrived, before it
answers; one that it refuses is among them.
"""

import json
import pathlib
import socket
import ssl
import struct
import sys
import threading
import urllib.parse

import h2.config
import h2.connection
import h2.errors
import h2.events
import raw

directory = pathlib.Path(sys.argv[1])
log = open(directory / "http2.log", "a", buffering=1)
# What was asked for how often: some answers differ the second time.
asked = {}
lock = threading.Lock()
tally = raw.Tally()


class Connection:
    def __init__(self, number, plain):
        self.number = number
        self.plain = plain
        # What is sent may break the rules.
        self.http = h2.connection.H2Connection(
            config=h2.config.H2Configuration(
                client_side=False, validate_outbound_headers=False, normalize_outbound_headers=False
            )
        )

    def serve(self, context):
        try:
            self.plain.settimeout(30)
            self.socket = context.wrap_socket(self.plain, server_side=True)
            if self.socket.selected_alpn_protocol() != "h2":
                return raw.Conversation(self.number, self.plain, log, tally, self.socket).serve()
            self.http.initiate_connection()
            self.flush()
            while (data := self.socket.recv(65536)) and self.take(data):
                pass
        except OSError:
            pass
        finally:
            getattr(self, "socket", self.plain).close()

    def take(self, data):
        for event in self.http.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                if not self.answer(event.stream_id, dict(event.headers)):
                    return False
            elif isinstance(event, h2.events.DataReceived):
                self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.ConnectionTerminated):
                return False
        self.flush()
        return True

    def flush(self):
        self.socket.sendall(self.http.data_to_send())

    def answer(self, stream, headers):
        """Answers a request; false where the connection ends with it."""
        headers = {key.decode(): value.decode() for key, value in headers.items()}
        target = headers[":path"]
        with lock:
            count = asked[target] = asked.get(target, 0) + 1
            line = {
                "agent": headers.get("user-agent", ""),
                "method": headers[":method"],
                "target": target,
                "status": 200,
                "connection": self.number,
                "protocol": "HTTP/2",
                "stream": stream,
            }
            log.write(json.dumps(line) + "\n")
        path = urllib.parse.urlsplit(target).path
        return getattr(self, "at_" + path.strip("/").replace("-", "_"), self.at_anything)(stream, count)

    def head(self, stream, *fields, status=200, end=False):
        self.http.send_headers(stream, [(":status", str(status)), *fields], end_stream=end)

    def at_anything(self, stream, _):
        self.head(stream)
        self.http.send_data(stream, b"small\n", end_stream=True)
        return True

    def at_empty(self, stream, _):
        self.head(stream, end=True)
        return True

    def at_trailers(self, stream, _):
        self.head(stream, ("x-before", "1"))
        self.http.send_data(stream, b"small\n")
        self.http.send_headers(stream, [("x-after", "2")], end_stream=True)
        return True

    def at_interim(self, stream, _):
        self.head(stream, ("link", "</a>"), status=103)
        self.head(stream, status=102)
        return self.at_anything(stream, _)

    def at_odd(self, stream, _):
        self.head(stream, ("x-odd", ""), ("x-odd", "a"), ("set-cookie", "a=1, b"), status=299)
        for byte in b"small\n":
            self.http.send_data(stream, bytes([byte]))
        self.http.send_data(stream, b"", end_stream=True)
        return True

    def at_refused_once(self, stream, count):
        return self.at_refused(stream, count) if count == 1 else self.at_anything(stream, count)

    def at_refused(self, stream, _):
        self.http.reset_stream(stream, h2.errors.ErrorCodes.REFUSED_STREAM)
        return True

    def at_goodbye_once(self, stream, count):
        if count > 1:
            return self.at_anything(stream, count)
        # All up to the one before were taken; this one was not.
        self.http.close_connection(last_stream_id=max(0, stream - 2))
        self.flush()
        # The client is to leave by itself.
        while self.socket.recv(65536):
            pass
        return False

    def at_broken(self, stream, _):
        self.head(stream, ("content-length", "100"))
        self.http.send_data(stream, b"half")
        self.http.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
        return True

    def at_short(self, stream, _):
        self.head(stream, ("content-length", "100"))
        self.http.send_data(stream, b"half", end_stream=True)
        return True

    def at_dropped(self, stream, _):
        return False

    def at_reset(self, stream, _):
        self.plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return False

    def at_torn(self, stream, _):
        self.head(stream)
        # The head of the response ends within its frame.
        self.socket.sendall(self.http.data_to_send()[:-2])
        return False

    def at_half(self, stream, _):
        self.head(stream, ("content-length", "100"))
        self.http.send_data(stream, b"half")
        self.flush()
        return False


def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(directory / "tls/good.pem", directory / "tls/server.key")
    context.set_alpn_protocols(["h2", "http/1.1"])
    listener = socket.create_server(("127.0.0.1", int(sys.argv[2])))
    number = 0
    while True:
        plain, _ = listener.accept()
        number += 1
        threading.Thread(target=Connection(number, plain).serve, args=(context,), daemon=True).start()


main()
