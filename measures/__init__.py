"""What is counted from people's answers, as pure functions over plain counts and arrays. No Django.

``agreement``, ``reliability``, ``association`` and ``intervals``: each says its source, what goes in, and
where it is undefined. An undefined figure is a word (:class:`measures.undefined.Undefined`), never NaN, and
never a number by default: a lone figure is ``float | Undefined``, a record has None for the figure and the
word in its ``undefined``.

Figures are not rounded, and words are not for readers: who shows them rounds and words them.
"""
