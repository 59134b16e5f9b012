"""The profile that belongs to a result."""

from __future__ import annotations

from pathlib import Path

from ftlab.json_node import Node
from ftlab.profile.folded import Profile, read_profile


def profile_path(root: Node) -> Path | None:
    """Of a result.json: where its run has put the profile. None where it took none."""
    run = root.find("run")
    named = None if run is None else run.find("profile")
    return None if named is None else Path(root.file).parent / named.text()


def profile_of(root: Node) -> tuple[Profile | None, str]:
    """And why there is none, where the result names one. Raises InputError for one that is damaged."""
    path = profile_path(root)
    if path is None:
        return None, ""
    if not path.exists():
        return None, f"its profile is gone: {path}"
    profile = read_profile(path)
    cycles = root.get("processor").get("cycles").count()
    if profile.cycles() != cycles:
        return None, f"{path} is the profile of another run: it holds {profile.cycles()} cycles, the result {cycles}"
    return profile, ""
