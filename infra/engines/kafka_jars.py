"""Fetches Apache Kafka's jars with Maven, once, into the user's cache.

Java 17 or newer and Maven are all it takes where Docker is not to be had. The list of jars is
`kafka/pom.xml`; the folder's name carries a digest of it, so that another list is another folder.
"""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from lawful.infra.engines.process import EngineFailed

POM = Path(__file__).with_name("kafka") / "pom.xml"
OLDEST_JAVA = 17
MAVEN_SECONDS = 600


def missing() -> str:
    """What keeps this machine from running Apache Kafka from jars; empty if nothing does."""
    if not shutil.which("java"):
        return "no Java"
    version = java_version()
    if version < OLDEST_JAVA:
        return f"Java {version} is older than {OLDEST_JAVA}"
    if not (jars_folder().is_dir() or shutil.which("mvn")):
        return "no Maven"
    return ""


def java_version() -> int:
    """Major version of the `java` on the path; 0 if it does not say."""
    asked = subprocess.run(["java", "-version"], capture_output=True, text=True, check=False, timeout=30)
    found = re.search(r'version "(\d+)', asked.stderr)
    return int(found.group(1)) if found else 0


def jars_folder() -> Path:
    """Where the jars are, or will be."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "lawful" / f"kafka-jars-{hashlib.sha256(POM.read_bytes()).hexdigest()[:12]}"


def fetch_jars() -> Path:
    """The folder with the jars; Maven fetches some 45 MB at first use.

    Raises:
        EngineFailed: Maven could not; the message holds what it said.
    """
    folder = jars_folder()
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        jars = Path(scratch) / "jars"
        _run_maven(jars)
        try:
            jars.rename(folder)  # complete or not at all
        except OSError:
            if not folder.is_dir():  # otherwise another process was faster
                raise
    return folder


def _run_maven(jars: Path) -> None:
    command = ["mvn", "-q", "-B", "-f", str(POM), "dependency:copy-dependencies", f"-DoutputDirectory={jars}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=MAVEN_SECONDS)
    except subprocess.TimeoutExpired:
        raise EngineFailed(f"Maven did not fetch Apache Kafka within {MAVEN_SECONDS} s") from None
    if done.returncode:
        said = "\n".join((done.stdout + done.stderr).splitlines()[-15:])
        raise EngineFailed(f"Maven could not fetch Apache Kafka (status {done.returncode}):\n{said}")
