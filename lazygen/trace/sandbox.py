"""Refuses, with a `PermissionError`, whatever a source would change outside of its own process.

An audit hook sees what Python announces; the few calls that it does not announce (tried on Python 3.11 to 3.13)
are replaced. This keeps careless code from harm, not malicious code: an extension module that writes by itself is
not seen.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

REFUSED: list[str] = []
"""What was refused so far, in words."""

_folder = ""  # the one folder that may be written to
_active = False
_libraries = False
_hooked = False


def install(folder: str = "") -> None:
    """From now on refuse changes, but for those inside `folder`, a real path."""
    global _folder, _active, _hooked
    _folder, _active = folder, True
    if not _hooked:  # a hook cannot be taken away again
        sys.addaudithook(_hook)
        _hooked = True
    _replace_silent_calls()


def remove() -> None:
    """Refuse nothing any more."""
    global _active
    _active = False
    while _replaced:
        module, name, held = _replaced.pop()
        setattr(module, name, held)


@contextmanager
def lifted() -> Iterator[None]:
    """For the import of real torch, which loads libraries and probes the system."""
    global _active
    was, _active = _active, False
    try:
        yield
    finally:
        _active = was


def let_libraries_load() -> None:
    """For a process in which all runs on real torch, with the libraries that are compiled against it."""
    global _libraries
    _libraries = True


@contextmanager
def loading_libraries() -> Iterator[None]:
    """For the import of a package that real torch serves, which loads libraries of its own."""
    global _libraries
    was, _libraries = _libraries, True
    try:
        yield
    finally:
        _libraries = was


def refuse(what: str) -> None:
    """Raise the PermissionError that says so."""
    REFUSED.append(what)
    raise PermissionError(f"{what} is refused: the source is run only to learn its sizes, and may change nothing")


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    check = _CHECKS.get(event)
    if check is not None and _active and not (_libraries and event in _LOADING):
        check(event, arguments)


def _always(event: str, arguments: tuple[Any, ...]) -> None:
    refuse(event)


_WRITING = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC | getattr(os, "O_TMPFILE", 0)
_WRITING &= ~getattr(os, "O_DIRECTORY", 0)  # O_TMPFILE contains it, and listing a folder changes nothing


def _open(event: str, arguments: tuple[Any, ...]) -> None:
    path, _, flags = arguments
    # A number is a descriptor that is open already; `flags` say what the mode asks for, too.
    if flags & _WRITING and not isinstance(path, int) and not _may_write(path):
        refuse(f"opening {_shown(path)} for writing")


def _path_first(event: str, arguments: tuple[Any, ...]) -> None:
    """Events of one path, the last argument being the folder's descriptor if it is not -1."""
    at = arguments[-1] if event in _WITH_FOLDER else -1
    if not _may_write(arguments[0], at):
        refuse(f"{event}({_shown(arguments[0])})")


def _rename(event: str, arguments: tuple[Any, ...]) -> None:
    source, target, source_at, target_at = arguments
    if not _may_write(source, source_at) or not _may_write(target, target_at):
        refuse(f"{event}({_shown(source)}, {_shown(target)})")


def _library(event: str, arguments: tuple[Any, ...]) -> None:
    if arguments[0] is not None:  # None is this process: `import ctypes` itself asks for it
        refuse(f"loading the library {_shown(arguments[0])}")


def _socket(event: str, arguments: tuple[Any, ...]) -> None:
    import socket

    if arguments[1] != getattr(socket, "AF_UNIX", None):  # a pair inside the process: event loops make one
        refuse("a socket")


def _may_write(path: Any, folder_descriptor: Any = -1) -> bool:
    if isinstance(path, int):
        name = _of_descriptor(path)
    else:
        name = os.fsdecode(path)
        if name == os.devnull:
            return True
        if folder_descriptor != -1 and not os.path.isabs(name):
            name = os.path.join(_of_descriptor(folder_descriptor) or "/", name)
    if not _folder or not name:
        return False
    # A link in the folder would lead out of it, but none can be made.
    return os.path.realpath(name).startswith(_folder + os.sep) or os.path.realpath(name) == _folder


def _of_descriptor(number: int) -> str:
    try:
        return os.readlink(f"/proc/self/fd/{number}")
    except OSError:
        return ""


def _shown(path: Any) -> str:
    return repr(path if isinstance(path, int) else os.fsdecode(path))


_LOADING = {"ctypes.dlopen", "ctypes.dlsym", "ctypes.dlsym/handle", "ctypes.call_function"}
_WITH_FOLDER = {"os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.chown", "os.utime"}

_CHECKS: dict[str, Callable[[str, tuple[Any, ...]], None]] = {
    "open": _open,
    "os.rename": _rename,
    "ctypes.dlopen": _library,
    "socket.__new__": _socket,
    **dict.fromkeys(_WITH_FOLDER, _path_first),
    **dict.fromkeys(("os.truncate", "os.setxattr", "os.removexattr", "os.chflags"), _path_first),
    **dict.fromkeys(
        [
            "os.link",
            "os.symlink",
            "os.chroot",
            "os.system",
            "os.exec",
            "os.fork",
            "os.forkpty",
            "os.posix_spawn",
            "os.spawn",
            "os.startfile",
            "os.startfile/2",
            "os.kill",
            "os.killpg",
            "signal.pthread_kill",
            "subprocess.Popen",
            "pty.spawn",
            "socket.bind",
            "socket.connect",
            "socket.getaddrinfo",
            "socket.gethostbyname",
            "socket.gethostbyaddr",
            "socket.getnameinfo",
            "socket.sendto",
            "socket.sendmsg",
            "socket.sethostname",
            "sqlite3.connect",
            "ctypes.dlsym",
            "ctypes.dlsym/handle",
            "ctypes.call_function",
            "resource.prlimit",
            "syslog.openlog",
            "syslog.syslog",
            "ensurepip.bootstrap",
            "webbrowser.open",
            "winreg.CreateKey",
            "winreg.DeleteKey",
            "winreg.DeleteValue",
            "winreg.SetValue",
            "_winapi.CreateProcess",
            "_winapi.CreateNamedPipe",
            "_winapi.TerminateProcess",
        ],
        _always,
    ),
}

_SILENT = {
    "posix": (
        "mkfifo",
        "mknod",
        "chroot",
        "posix_fallocate",
        "copy_file_range",
        "unshare",
        "setns",
        "pidfd_open",
        "abort",
    ),
    "_posixsubprocess": ("fork_exec",),
    "_posixshmem": ("shm_open", "shm_unlink"),
    "signal": ("pidfd_send_signal",),
    "readline": ("write_history_file", "append_history_file"),
    "_gdbm": ("open",),
    "_dbm": ("open",),
}


_replaced: list[tuple[Any, str, Any]] = []  # module, name, and what was there


def _replace_silent_calls() -> None:
    for module, names in _SILENT.items():
        if module in sys.modules:
            _replace(sys.modules[module], names)
    _replace(os, _SILENT["posix"])
    if "subprocess" in sys.modules:
        _replace(sys.modules["subprocess"], ("_fork_exec",))
    _put(os, "_exit", _leave)
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


def _replace(module: Any, names: tuple[str, ...]) -> None:
    for name in names:
        if hasattr(module, name):
            _put(module, name, _refusing(f"{module.__name__}.{name}", getattr(module, name)))


def _put(module: Any, name: str, value: Any) -> None:
    _replaced.append((module, name, getattr(module, name)))
    setattr(module, name, value)


def _refusing(what: str, held: Callable[..., Any]) -> Callable[..., Any]:
    def refused(*args: Any, **kwargs: Any) -> Any:
        if _active:
            refuse(what)
        return held(*args, **kwargs)

    return refused


def _leave(status: int) -> Any:
    """Stands for `os._exit`: what the source wants to end is only its own part of the run."""
    raise SystemExit(status)


class _Finder:
    """Replaces silent calls in modules that are imported later."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name not in _SILENT or name in sys.modules:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(name, path, target)
            if spec is not None:
                return _with_loader(spec, _SILENT[name])
        return None


def _with_loader(spec: Any, silent: tuple[str, ...]) -> Any:
    """The spec with a loader that replaces the silent calls.  It is a new one: builtin modules share theirs."""
    held = spec.loader

    class Loader:
        def create_module(self, spec: Any) -> Any:
            return held.create_module(spec)

        def exec_module(self, module: Any) -> None:
            held.exec_module(module)
            _replace(module, silent)

        def __getattr__(self, name: str) -> Any:
            return getattr(held, name)

    spec.loader = Loader()
    return spec
