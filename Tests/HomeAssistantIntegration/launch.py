"""Starts Home Assistant in its own Python, with two differences that a test needs."""

import sys

import homeassistant.const
import zeroconf

# The older release asks for 3.13.2 and runs on any 3.13.
if sys.version_info[:2] == homeassistant.const.REQUIRED_PYTHON_VER[:2]:
    homeassistant.const.REQUIRED_PYTHON_VER = min(homeassistant.const.REQUIRED_PYTHON_VER, sys.version_info[:3])

# Name look-ups by multicast stay on this machine.
everywhere = zeroconf.Zeroconf.__init__


def on_loopback(self, *arguments, **options):
    options.update(interfaces=["127.0.0.1"], ip_version=zeroconf.IPVersion.V4Only)
    everywhere(self, **options)


zeroconf.Zeroconf.__init__ = on_loopback

from homeassistant.__main__ import main  # noqa: E402

sys.argv[0] = "hass"
sys.exit(main())
