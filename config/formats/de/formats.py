"""Django's German formats, but for the clause that a date with a time makes."""

DATETIME_FORMAT = "j. F Y, H:i"
SHORT_DATETIME_FORMAT = "d.m.Y H:i"
