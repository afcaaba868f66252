#!/usr/bin/env python3
"""Writes the 4096 logits of perf/logits.f32 to standard output: raw little-endian 32-bit floats.

    python3 perf/logits.py > perf/logits.f32

They look like what a language model says before its next word: a bulk that is normal with a standard
deviation of 2.5 around -3, a shoulder of likelier words, and a few peaks. Integers throughout, then one exact
division by 2^18, so the bytes are the same anywhere.
"""
import struct
import sys

COUNT = 4096
ONE = 1 << 18

state = 20240501


def draw(bits):
    """The next random integer of so many bits."""
    global state
    state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
    return state >> (64 - bits)


def normal():
    """Twelve uniform numbers: mean 0, standard deviation 1, within +-6, times ONE."""
    return sum(draw(18) for _ in range(12)) - 6 * ONE


logits = []
for i in range(COUNT):
    logit = -3 * ONE + normal() * 5 // 2
    kind = draw(12)
    if kind < 8:  # one in 512: a peak
        logit += 9 * ONE + draw(18) * 5
    elif kind < 128:  # one in 32: the shoulder
        logit += 4 * ONE
    logits.append(logit / ONE)

sys.stdout.buffer.write(struct.pack("<%df" % COUNT, *logits))
