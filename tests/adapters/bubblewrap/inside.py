"""Attempts to get out, run inside of the sandbox by its own Python: each returns what it got hold of, or nothing.

What an attempt may use of the host comes as JSON: paths, ports, process ids and a canary that must never be seen. An
attempt that raises has failed, which is what everybody hopes. Run as a program it prints one line for each attempt.
"""

from __future__ import annotations

import ctypes
import glob
import json
import mmap
import os
import platform
import resource
import shutil
import signal
import socket
import subprocess  # noqa: TID251 - this is the hostile side
import sys
import time
from collections.abc import Callable
from typing import Any

Host = dict[str, Any]
Attempt = Callable[[Host], object]
ATTEMPTS: dict[str, Attempt] = {}
LIBC = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
# fmt: off
NUMBERS = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "unshare": (272, 97), "setns": (308, 268), "bpf": (321, 280),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425), "keyctl": (250, 219),
    "add_key": (248, 217), "memfd_create": (319, 279), "shmget": (29, 194), "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262), "init_module": (175, 105), "kexec_load": (246, 104), "reboot": (169, 142),
    "swapon": (167, 224), "sethostname": (170, 161), "settimeofday": (164, 170), "acct": (163, 89),
    "quotactl": (179, 60), "syslog": (103, 116), "clone": (56, 220), "clone3": (435, 435), "open_tree": (428, 428),
    "fsopen": (430, 430), "pidfd_getfd": (438, 438), "pidfd_open": (434, 434), "iopl": (172, -1),
    "mq_open": (240, 180), "kcmp": (312, 272), "capset": (126, 91),
}
# fmt: on


def attempt(run: Attempt) -> Attempt:
    ATTEMPTS[run.__name__] = run
    return run


def call(name: str, *arguments: object) -> int:
    """Make a system call; raise OSError when the kernel refuses."""
    number = NUMBERS[name][0 if X86 else 1]
    if number < 0:
        raise OSError("not on this machine")
    found = LIBC.syscall(number, *arguments)
    if found < 0:
        raise OSError(ctypes.get_errno(), name)
    return found


def read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(100_000)


def write(path: str) -> str:
    with open(path, "ab") as file:
        file.write(b"x")
    return f"wrote {path}"


# --- reading what is the bot's ------------------------------------------------------------------------------------


def _reader(path_of: str) -> Attempt:
    return lambda host: read(host[path_of])


for _name in ("config", "secret_key", "database", "outside_file", "neighbour"):
    ATTEMPTS[f"read_{_name}"] = _reader(_name)


@attempt
def list_the_data_directory(host: Host) -> object:
    return os.listdir(host["data"])


@attempt
def find_the_canary_in_any_environment(host: Host) -> object:
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            if host["canary"].encode() in read(path):
                return path
        except OSError:
            continue
    return None


@attempt
def find_the_canary_in_my_environment(host: Host) -> object:
    known = {
        "PATH",
        "HOME",
        "TMPDIR",
        "LANG",
        "USER",
        "LOGNAME",
        "SHELL",
        "TERM",
        "PWD",
        "SHLVL",
        "_",
        "OLDPWD",
        "LC_CTYPE",
    }
    return sorted(set(os.environ) - known)


@attempt
def find_open_files(host: Host) -> object:
    links = [f"/proc/self/fd/{fd}" for fd in os.listdir("/proc/self/fd")]
    mine = {os.readlink(link) for link in links if os.path.islink(link)}
    usual = ("/dev/null", "/proc", "/workspace", "pipe:")
    return [one for one in mine if not one.startswith(usual)]


@attempt
def read_shadow(host: Host) -> object:
    return read("/etc/shadow")


@attempt
def list_homes(host: Host) -> object:
    return [path for path in ("/root", "/home") if os.path.isdir(path) and set(os.listdir(path)) - set(host["shown"])]


@attempt
def see_var_run_and_boot(host: Host) -> object:
    return [path for path in ("/var", "/run", "/boot", "/mnt", "/srv", "/media") if os.path.exists(path)]


@attempt
def climb_out_of_the_workspace(host: Host) -> object:
    os.chdir("/workspace")
    os.chdir("../../../..")
    return sorted(set(os.listdir(".")) - set(host["shown"]) - {
        "bin", "sbin", "lib", "lib32", "lib64", "libx32", "dev", "etc", "proc", "tmp", "usr", "workspace",
    })  # fmt: skip


@attempt
def follow_a_link_out(host: Host) -> object:
    os.symlink(host["outside_file"], "/workspace/way-out")
    return read("/workspace/way-out")


@attempt
def through_the_root_of_process_one(host: Host) -> object:
    return read("/proc/1/root" + host["outside_file"])


@attempt
def through_the_folder_of_process_one(host: Host) -> object:
    return read("/proc/1/cwd" + host["outside_file"])


@attempt
def through_the_old_root(host: Host) -> object:
    return [path for path in ("/oldroot", "/newroot", "/proc/1/root/oldroot") if os.path.exists(path)]


@attempt
def link_a_file_of_the_system_into_the_workspace(host: Host) -> object:
    os.link(os.path.realpath(sys.executable), "/workspace/hard")
    return "linked"


@attempt
def move_a_file_out_of_the_workspace(host: Host) -> object:
    write("/workspace/moving")
    os.rename("/workspace/moving", "/usr/moving")
    return "moved"


# --- writing where nothing may be written -------------------------------------------------------------------------

for _path in ("/usr/bin/evil", "/etc/passwd", "/etc/ld.so.cache", "/evil", "/dev/evil", "/lib/evil", "/proc/evil"):
    ATTEMPTS[f"write_{_path.strip('/').replace('/', '_')}"] = lambda host, path=_path: write(path)


@attempt
def write_over_a_program(host: Host) -> object:
    return write(os.path.realpath(sys.executable))


@attempt
def set_how_dumps_are_handled(host: Host) -> object:
    return write("/proc/sys/kernel/core_pattern")


@attempt
def press_the_magic_key(host: Host) -> object:
    return os.access("/proc/sysrq-trigger", os.W_OK) and write("/proc/sysrq-trigger")


@attempt
def write_to_sys(host: Host) -> object:
    return os.path.exists("/sys/kernel")


@attempt
def read_the_kernels_memory(host: Host) -> object:
    return read("/proc/kcore")[:10]


@attempt
def read_the_kernels_log(host: Host) -> object:
    size = call("syslog", 10, None, 0)
    text = ctypes.create_string_buffer(max(size, 1))
    return call("syslog", 3, text, size)


@attempt
def open_devices(host: Host) -> object:
    found = []
    for path in (
        "/dev/mem",
        "/dev/kmsg",
        "/dev/sda",
        "/dev/vda",
        "/dev/nvme0n1",
        "/dev/fuse",
        "/dev/kvm",
        "/dev/net/tun",
    ):
        try:
            os.close(os.open(path, os.O_RDONLY))
            found.append(path)
        except OSError:
            continue
    return found


@attempt
def make_a_device(host: Host) -> object:
    os.mknod("/workspace/zero", 0o20666, os.makedev(1, 5))
    return "made"


@attempt
def make_a_block_device(host: Host) -> object:
    os.mknod("/tmp/disk", 0o60666, os.makedev(254, 0))
    return read("/tmp/disk")[:4]


# --- other processes ----------------------------------------------------------------------------------------------


@attempt
def see_other_processes(host: Host) -> object:
    named = [read(path) for path in glob.glob("/proc/[0-9]*/cmdline")]
    return [one for one in named if b"victim" in one]


@attempt
def kill_a_process_of_the_host(host: Host) -> object:
    os.kill(host["victim"], signal.SIGKILL)
    return "killed"


@attempt
def hold_on_to_a_process_of_the_host(host: Host) -> object:
    return call("pidfd_open", host["victim"], 0)


@attempt
def trace_process_one(host: Host) -> object:
    return call("ptrace", 16, 1, 0, 0) == 0


@attempt
def trace_a_child(host: Host) -> object:
    return call("ptrace", 0, 0, 0, 0) == 0


@attempt
def read_another_memory(host: Host) -> object:
    class Part(ctypes.Structure):
        _fields_ = (("base", ctypes.c_void_p), ("size", ctypes.c_size_t))

    text = ctypes.create_string_buffer(16)
    mine = Part(ctypes.addressof(text), 16)
    return call("process_vm_readv", 1, ctypes.byref(mine), 1, ctypes.byref(mine), 1, 0)


@attempt
def write_the_memory_of_process_one(host: Host) -> object:
    with open("/proc/1/mem", "r+b") as file:
        return file.writable()


@attempt
def take_a_handle_of_process_one(host: Host) -> object:
    return call("pidfd_getfd", call("pidfd_open", 1, 0), 0, 0)


@attempt
def compare_processes(host: Host) -> object:
    return call("kcmp", 1, os.getpid(), 0, 0, 0) >= 0


@attempt
def run_before_everybody_else(host: Host) -> object:
    return os.nice(-20) < 0


@attempt
def run_in_real_time(host: Host) -> object:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
    return "real time"


@attempt
def be_the_last_to_be_killed(host: Host) -> object:
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("-1000")
    return read("/proc/self/oom_score_adj") == b"-1000\n"


# --- more rights --------------------------------------------------------------------------------------------------


@attempt
def be_root(host: Host) -> object:
    return 0 in (os.getuid(), os.geteuid(), os.getgid()) or bool(os.getgroups() and 0 in os.getgroups())


@attempt
def become_root(host: Host) -> object:
    os.setresuid(0, 0, 0)
    return "root"


@attempt
def join_a_group(host: Host) -> object:
    os.setgroups([0])
    return "joined"


@attempt
def have_capabilities(host: Host) -> object:
    lines = [line for line in read("/proc/self/status").decode().splitlines() if line.startswith("Cap")]
    return [line for line in lines if int(line.split()[1], 16)]


@attempt
def be_free_to_gain_rights(host: Host) -> object:
    return "NoNewPrivs:\t1" not in read("/proc/self/status").decode()


@attempt
def be_unfiltered(host: Host) -> object:
    return X86 and "Seccomp:\t2" not in read("/proc/self/status").decode()


@attempt
def gain_rights_by_a_setuid_program(host: Host) -> object:
    for name in ("su", "mount", "passwd", "sudo", "chsh", "newgrp", "ping"):
        if path := shutil.which(name, path="/usr/bin:/bin"):
            told = subprocess.run([path, "--help"], capture_output=True, timeout=5)
            assert told.stdout.strip() != b"root"
    return [path for path in ("/usr/bin", "/usr/sbin", "/workspace") if not os.statvfs(path).f_flag & os.ST_NOSUID]


@attempt
def make_a_setuid_program(host: Host) -> object:
    shutil.copy("/usr/bin/id", "/workspace/id")
    os.chmod("/workspace/id", 0o6755)
    told = subprocess.run(["/workspace/id", "-u"], capture_output=True, timeout=5, text=True).stdout.strip()
    return told != str(os.getuid())


@attempt
def set_capabilities(host: Host) -> object:
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    everything = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
    return call("capset", header, everything) == 0


@attempt
def raise_my_limits(host: Host) -> object:
    raised = []
    for name in (
        "RLIMIT_NPROC",
        "RLIMIT_AS",
        "RLIMIT_FSIZE",
        "RLIMIT_CPU",
        "RLIMIT_NOFILE",
        "RLIMIT_CORE",
        "RLIMIT_MEMLOCK",
    ):
        what = getattr(resource, name)
        hard = resource.getrlimit(what)[1]
        try:
            resource.setrlimit(what, (hard + 1, hard + 1))
            raised.append(name)
        except (ValueError, OSError):
            raised += [name] if hard == resource.RLIM_INFINITY else []
    return raised


# --- other walls --------------------------------------------------------------------------------------------------


@attempt
def mount_a_disk(host: Host) -> object:
    return call("mount", b"none", b"/tmp", b"tmpfs", 0, None) == 0


@attempt
def mount_the_host(host: Host) -> object:
    return call("mount", b"/proc/1/root", b"/tmp", None, 4096, None) == 0


@attempt
def make_the_system_writable(host: Host) -> object:
    return call("mount", None, b"/usr", None, 32 | 4096, None) == 0


@attempt
def unmount_the_workspace(host: Host) -> object:
    return call("umount2", b"/workspace", 2) == 0


@attempt
def unmount_the_system(host: Host) -> object:
    return call("umount2", b"/usr", 2) == 0


@attempt
def change_the_root(host: Host) -> object:
    os.chroot("/workspace")
    return "changed"


@attempt
def pivot_the_root(host: Host) -> object:
    return call("pivot_root", b"/workspace", b"/workspace") == 0


@attempt
def open_a_tree(host: Host) -> object:
    return call("open_tree", -100, b"/", 1) >= 0


@attempt
def open_a_file_system(host: Host) -> object:
    return call("fsopen", b"tmpfs", 0) >= 0


@attempt
def open_by_handle(host: Host) -> object:
    return call("open_by_handle_at", 0, ctypes.create_string_buffer(64), 0) >= 0


for _flag, _what in ((0x10000000, "user"), (0x20000, "mount"), (0x40000000, "net"), (0x20000000, "pid")):
    ATTEMPTS[f"leave_the_{_what}_namespace"] = lambda host, flag=_flag: call("unshare", flag) == 0


@attempt
def begin_a_process_in_a_new_user_namespace(host: Host) -> object:
    pid = call("clone", 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    return "begun"


@attempt
def begin_one_the_new_way(host: Host) -> object:
    arguments = (ctypes.c_uint64 * 11)(0x10000000, 0, 0, 0, signal.SIGCHLD)
    pid = call("clone3", arguments, ctypes.sizeof(arguments))
    if pid == 0:
        os._exit(0)
    return "begun"


@attempt
def join_the_namespaces_of_process_one(host: Host) -> object:
    return call("setns", os.open("/proc/1/ns/mnt", os.O_RDONLY), 0) == 0


@attempt
def call_the_kernel_in_another_tongue(host: Host) -> object:
    if not X86:
        return None
    pid = os.fork()
    if pid == 0:
        LIBC.syscall(0x40000000 + 39)
        os._exit(0)
    return os.waitpid(pid, 0)[1] == 0


for _call, _arguments in {
    "bpf": (0, None, 0), "perf_event_open": (None, 0, -1, -1, 0), "userfaultfd": (0,), "io_uring_setup": (4, None),
    "keyctl": (0, -3, 1), "add_key": (b"user", b"x", b"x", 1, -3), "memfd_create": (b"x", 0),
    "shmget": (0, 4096, 0o1600), "fanotify_init": (0, 0), "init_module": (None, 0, b""), "kexec_load": (0, 0, None, 0),
    "reboot": (0, 0, 0), "swapon": (b"/workspace/x", 0), "sethostname": (b"mine", 4), "settimeofday": (None, None),
    "acct": (b"/workspace/x",), "quotactl": (0, None, 0, None), "iopl": (3,),
}.items():  # fmt: skip
    ATTEMPTS[f"call_{_call}"] = lambda host, name=_call, arguments=_arguments: call(name, *arguments) >= 0


# --- the network --------------------------------------------------------------------------------------------------


def reach(kind: int, address: tuple[str, int]) -> str:
    with socket.socket(socket.AF_INET, kind) as made:
        made.settimeout(0.3)
        made.connect(address)
        made.send(b"hello from inside")
    return f"reached {address}"


@attempt
def reach_a_service_of_the_host(host: Host) -> object:
    return reach(socket.SOCK_STREAM, ("127.0.0.1", host["tcp"]))


@attempt
def reach_the_host_by_its_address(host: Host) -> object:
    return reach(socket.SOCK_STREAM, (host["address"], host["tcp"]))


@attempt
def send_a_datagram_to_the_host(host: Host) -> object:
    reach(socket.SOCK_DGRAM, ("127.0.0.1", host["udp"]))  # it may leave; nobody of the host may get it
    return None


@attempt
def send_a_datagram_outside(host: Host) -> object:
    return reach(socket.SOCK_DGRAM, ("192.0.2.1", 53))


@attempt
def reach_the_outside(host: Host) -> object:
    return reach(socket.SOCK_STREAM, ("192.0.2.1", 80))


@attempt
def ask_for_a_name(host: Host) -> object:
    return socket.gethostbyname("example.org")


@attempt
def reach_an_abstract_socket(host: Host) -> object:
    with socket.socket(socket.AF_UNIX) as made:
        made.connect(f"\0{host['abstract']}")
    return "reached"


@attempt
def reach_a_socket_in_a_folder(host: Host) -> object:
    with socket.socket(socket.AF_UNIX) as made:
        made.connect(host["unix"])
    return "reached"


@attempt
def reach_services_that_give_rights(host: Host) -> object:
    usual = (
        "/run/docker.sock",
        "/var/run/docker.sock",
        "/run/dbus/system_bus_socket",
        "/run/systemd/private",
        "/tmp/.X11-unix/X0",
    )
    return [path for path in usual if os.path.exists(path)]


@attempt
def open_a_raw_socket(host: Host) -> object:
    return socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).fileno()


@attempt
def listen_to_the_wire(host: Host) -> object:
    return socket.socket(17, socket.SOCK_RAW).fileno()


@attempt
def open_a_socket_to_the_hypervisor(host: Host) -> object:
    return socket.socket(40, socket.SOCK_STREAM).fileno()


@attempt
def open_a_socket_for_ciphers(host: Host) -> object:
    return socket.socket(38, socket.SOCK_SEQPACKET).fileno()


@attempt
def have_a_network_card(host: Host) -> object:
    return [name for _, name in socket.if_nameindex() if name != "lo"]


# --- the terminal, dumps, and room ---------------------------------------------------------------------------------


@attempt
def type_into_the_terminal(host: Host) -> object:
    import fcntl

    found = []
    for path in ("/dev/tty", "/dev/console", "/proc/1/fd/0", "/proc/1/fd/2"):
        try:
            fcntl.ioctl(os.open(path, os.O_RDWR | os.O_NOCTTY), 0x5412, b"x")
            found.append(path)
        except OSError:
            continue
    return found


@attempt
def type_into_a_terminal_of_my_own(host: Host) -> object:
    import fcntl

    _, slave = os.openpty()
    fcntl.ioctl(slave, 0x5412, b"x")
    return "typed"


@attempt
def read_what_somebody_types(host: Host) -> object:
    return os.read(0, 1)


@attempt
def have_a_terminal(host: Host) -> object:
    return os.isatty(0) or os.isatty(1) or os.isatty(2)


@attempt
def leave_a_dump(host: Host) -> object:
    os.makedirs("/workspace/dumps", exist_ok=True)
    os.chdir("/workspace/dumps")
    pid = os.fork()
    if pid == 0:
        os.abort()
    status = os.waitpid(pid, 0)[1]
    return os.WCOREDUMP(status) or os.listdir(".")


@attempt
def write_a_file_that_is_too_large(host: Host) -> object:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open("/workspace/large", "wb") as file:
        file.truncate(host["file_bytes"] + 1)
    return "large"


@attempt
def fill_the_memory_of_tmp(host: Host) -> object:
    return _filled("/tmp", host["tmp_bytes"], host["file_bytes"])


@attempt
def fill_the_shared_memory(host: Host) -> object:
    return _filled("/dev/shm", 20_000_000, host["file_bytes"])


def _filled(folder: str, limit: int, each: int) -> object:
    total, count = 0, 0
    try:
        while total <= limit:
            with open(f"{folder}/fill-{count}", "wb") as file:
                total += file.write(b"x" * min(1_000_000, each))
            count += 1
    finally:
        for number in range(count + 1):
            if os.path.exists(f"{folder}/fill-{number}"):
                os.unlink(f"{folder}/fill-{number}")
    return f"{total} bytes"


@attempt
def take_more_memory_than_there_may_be(host: Host) -> object:
    return len(mmap.mmap(-1, host["memory_bytes"] + 4096))


@attempt
def lock_memory(host: Host) -> object:
    mine = mmap.mmap(-1, 1 << 20)
    address = ctypes.addressof(ctypes.c_char.from_buffer(mine))
    return LIBC.mlock(ctypes.c_void_p(address), 1 << 20) == 0


@attempt
def open_more_files_than_there_may_be(host: Host) -> object:
    found = [os.open("/dev/null", os.O_RDONLY) for _ in range(300)]
    return len(found)


@attempt
def open_a_queue_of_messages(host: Host) -> object:
    return call("mq_open", b"evil", os.O_CREAT | os.O_RDWR, 0o600, None) >= 0


def tried(name: str, host: Host) -> str:
    """Make an attempt in a process of its own; return what it got, empty when nothing."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        signal.alarm(5)
        try:
            found = ATTEMPTS[name](host)
        except BaseException:  # noqa: BLE001 - whatever it is, it did not get out
            found = None
        os.write(writing, repr(found).encode()[:2000] if found else b"")
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        found = file.read().decode(errors="replace")
    os.waitpid(pid, 0)
    return found


def main() -> None:
    host: Host = json.loads(read("/workspace/host.json"))  # noqa: TID251 - no pydantic in here
    began = time.monotonic()
    for name in ATTEMPTS:
        print(json.dumps({"attempt": name, "got": tried(name, host)}), flush=True)
    print(json.dumps({"attempt": "", "got": f"{time.monotonic() - began:.2f}"}))


if __name__ == "__main__":
    main()
