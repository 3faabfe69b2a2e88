// A program that imports Bridge gets the printers' settings and states, how their cameras are probed, and where they are heard.
@_exported public import Announcements
@_exported public import Cameras
@_exported public import Printers
