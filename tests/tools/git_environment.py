"""Git as no user has set it up: for everything here that starts git, or starts Heddle on a git repository."""
import os

SETTINGS = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1",
            "GIT_EDITOR": "true", "GIT_TERMINAL_PROMPT": "0"}
AUTHOR = {f"GIT_{who}_{what}": "a@example.org" if what == "EMAIL" else "a"
          for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def without_the_users_git(environment):
    """The environment without git's variables and the user's folder of settings, which has attributes and ignored names."""
    kept = {key: value for key, value in environment.items() if not key.startswith("GIT_") and key != "XDG_CONFIG_HOME"}
    return kept | SETTINGS | AUTHOR
