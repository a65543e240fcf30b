"""Plants the bugs of bugs.py into a copy of the sources: `plant.py BUGS SOURCES`.

Each is a piece of code that has to be found exactly once, and what stands in its place; so a plant that no longer fits
fails here, and is not silently left out.
"""
import pathlib
import runpy
import sys

bugs, sources = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
names = []
for name, file, old, new in runpy.run_path(str(bugs))["BUGS"]:
    path = sources / file
    text = path.read_text()
    if text.count(old) != 1:
        sys.exit(f"{name}: {file} holds {text.count(old)} times: {old}")
    path.write_text(text.replace(old, new.replace("BUG", f'Planted.isOn("{name}")')))
    names += [] if name in names else [name]
(sources / "Stoic/Support/Planted.swift").write_text(
    """/// Which planted bug is alive.
package enum Planted {
  // Unsafe, but set only while no simulated run is under way.
  nonisolated(unsafe) package static var bug = ""

  package static func isOn(_ name: String) -> Bool { bug == name }
}
"""
)
print(len(names), "bugs are planted")
