"""TRANSCRIPTS. Enters: chat logs and subtitles.
Leaves: lines with index, speaker, text.
Does not know: links and masks.
"""
