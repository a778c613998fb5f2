"""What a sentence says of a clause inside it: the predicate, modal or subordinator, and the clause by itself.

Only the main clause's own predicate is looked at; what stands under it is found when its clause is looked
at in turn. Signatures are those of ``lexicon/veridicality.toml``.
"""

from __future__ import annotations

from dataclasses import dataclass

from natlog.calculus.alignment import spelling
from natlog.calculus.clauses import Clauses, finite, sentence
from natlog.lexicon.times import verbs
from natlog.lexicon.veridicality import Claim, Signature, known, signature
from natlog.tree import Marking, Polarity, Token

_PREDICATIVE = ("acomp", "attr", "oprd")
_SUBJECTS = ("nsubj", "nsubjpass", "csubj", "expl")


@dataclass(frozen=True, slots=True)
class Embedded:
    """A clause inside a sentence, and what the sentence says of it.

    ``word`` is the predicate as written, ``lemma`` its entry and ``complement`` the kind of clause;
    ``signature`` is None where the lexicon has none. ``clause`` is the clause as a sentence, ``verb`` the
    lemma it hangs on, ``claim`` what is said of it, ``span`` its tokens. Where a negated infinitive was
    written out (*failed to close* as *did not close*), ``claim`` is of the negated sentence.
    """

    word: str
    lemma: str
    complement: str
    signature: Signature | None
    affirmed: bool
    clause: str
    verb: str
    claim: Claim
    span: tuple[int, int]

    @property
    def two_way(self) -> bool:
        """Whether the sentence says no less than that its clause is so, or is not."""
        return self.signature is not None and self.signature.two_way


def embedded(marking: Marking) -> Embedded | None:
    """The outermost clause that a sentence says something of, or None where it has none."""
    finder = _Finder(Clauses.of(marking.tree), marking.signs)
    main = finder.clauses.main
    return finder.modal(main) or finder.complement(main) if main is not None else None


def subordinate(marking: Marking) -> tuple[Embedded, Embedded] | None:
    """The clause of a subordinator and the clause it hangs on, as two claims; None without one."""
    finder = _Finder(Clauses.of(marking.tree), marking.signs)
    main = finder.clauses.main
    return finder.subordinate(main) if main is not None else None


@dataclass(slots=True)
class _Finder:
    clauses: Clauses
    signs: tuple[Polarity, ...]

    def modal(self, main: Token) -> Embedded | None:
        """*Can*, *may*, *will* with the main verb."""
        clauses, tokens = self.clauses, self.clauses.tree.tokens
        modal = next((t for t in clauses.auxiliaries(main) if t.tag == "MD"), None)
        if modal is None or modal.index > main.index:
            return None
        group = [t for t in clauses.auxiliaries(main) if modal.index < t.index < main.index] + [main]
        subject = self._subject(main)
        negation = clauses.denied(main)
        found = signature(spelling(modal), "modal")
        claim = self._claim(found, negation is None)
        skipped = {modal.index, *([negation.index] if negation else [])}
        first = min(token.index for token in group)
        words: list[str] = []
        for token in tokens:
            if token.index == first:
                words += finite([*group[:1]], "present", clauses.plural(subject), claim is Claim.NOT_SO)
            elif token.index not in skipped:
                words.append(token.text)
        return self._made(modal, "modal", found, negation is None, words, main, claim, (0, len(tokens)))

    def complement(self, main: Token) -> Embedded | None:
        """The finite clause, infinitive or participle that the main predicate takes."""
        clauses, tokens = self.clauses, self.clauses.tree.tokens
        predicate = clauses.child(main.index, *_PREDICATIVE) if main.lemma == "be" else None
        if any(tokens[i].tag == "EX" for i in clauses.children[main.index]):
            return None  # "there is no dog barking" says that none barks
        if any(tokens[i].dep == "conj" and tokens[i].lemma == "do" for i in clauses.children[main.index]):
            return None  # "wanted to leave, and did"
        for head in filter(None, (predicate, main)):
            for index in clauses.children[head.index]:
                child = tokens[index]
                finite_noun = head.dep == "attr" and child.dep in ("relcl", "acl")
                if child.dep not in ("ccomp", "xcomp") and not finite_noun and child.dep != "prep":
                    continue
                word = predicate or main
                found = self._embedding(main, word, child)
                if found is not None and (found.signature is not None or word.pos == "VERB"):
                    return found
        return None

    def _embedding(self, main: Token, word: Token, child: Token) -> Embedded | None:
        clauses, tokens = self.clauses, self.clauses.tree.tokens
        affirmed = clauses.denied(main) is None
        lemma = _lemma(word)
        if child.dep == "prep":
            object_ = clauses.child(main.index, "dobj")
            inner = clauses.child(child.index, "pcomp")
            if spelling(child) != "from" or inner is None or inner.tag != "VBG":
                return None
            subject = clauses.below(object_.index) if object_ else self._subject(main)
            kind = "from" if object_ else "ing"
            return self._nonfinite(main, word, lemma, kind, inner, subject, affirmed)
        if child.pos not in ("VERB", "AUX"):
            return None
        marks = [tokens[i] for i in clauses.children[child.index] if tokens[i].dep == "mark"]
        own = clauses.child(child.index, *_SUBJECTS)
        to = any(tokens[i].tag == "TO" and tokens[i].dep == "aux" for i in clauses.children[child.index])
        object_ = clauses.child(main.index, "dobj")
        if object_ is not None and not main.index < object_.index < child.index:
            object_ = None
        first = self._verbs(child)[0]
        bare = first.tag in ("VB", "VBG") or to
        if not bare:
            return self._finite(main, word, lemma, child, marks, own, affirmed)
        if child.index < main.index:
            return None
        kind = "to" if to else "ing" if first.tag == "VBG" else "bare"
        if own is not None or object_ is not None:
            subject = clauses.below((own or object_).index)  # type: ignore[union-attr]
            kind = kind if kind == "bare" else f"object-{kind}"
            if own is None and signature(lemma, kind) is None:
                return None  # "uses a knife to cut bread": a purpose, of which nothing is said
        else:
            subject = self._subject(main)
            if any(token.dep == "auxpass" for token in clauses.auxiliaries(main)):
                kind = f"object-{kind}"  # "was forced to leave": the subject is who was forced
        return self._nonfinite(main, word, lemma, kind, child, subject, affirmed)

    def _finite(
        self,
        main: Token,
        word: Token,
        lemma: str,
        child: Token,
        marks: list[Token],
        own: Token | None,
        affirmed: bool,
    ) -> Embedded | None:
        clauses, tokens = self.clauses, self.clauses.tree.tokens
        inside = clauses.below(child.index)
        if own is None:
            return None
        question = any(spelling(mark) in ("whether", "if") for mark in marks)
        begin, end = inside[0], inside[-1] + 1
        if begin > main.index:
            if spelling(tokens[begin]) in ("that", "whether", "if") and tokens[begin].index != own.index:
                begin += 1
            elif tokens[begin].tag in ("WP", "WRB", "WDT", "WP$"):
                return None
            end = self._end(main, end)
        clause = clauses.text_of(range(begin, end))
        kind = "whether" if question else "that"
        found = signature("*" if question else lemma, kind)
        if found is None and not any(spelling(tokens[i]) == "that" for i in (begin, begin - 1)):
            return None  # two sentences with a comma between them, more often than a clause
        claim = self._claim(found, affirmed)
        return self._made(word, kind, found, affirmed, clause, child, claim, (begin, end))

    def _nonfinite(
        self, main: Token, word: Token, lemma: str, kind: str, verb: Token, subject: list[int], affirmed: bool
    ) -> Embedded | None:
        clauses = self.clauses
        if not subject:
            return None
        group = self._verbs(verb)
        found = signature(lemma, kind)
        claim = self._claim(found, affirmed)
        inner = clauses.denied(verb)
        denied = (claim is Claim.NOT_SO) != (inner is not None)
        if claim is Claim.NOT_SO:
            claim = Claim.SO
        if affirmed and self.signs[main.index] is Polarity.DOWN and found is not None and not found.two_way:
            # "No one was able to swim": denied of each one by the subject, which the clause keeps.
            claim = Claim.SO if found.denied is Claim.NOT_SO else Claim.OPEN
            denied = inner is not None
        plural = clauses.plural(subject)
        tense = clauses.tense(main)
        after = range(group[-1].index + 1, self._end(main, clauses.below(verb.index)[-1] + 1))
        taken = {inner.index, *subject} if inner is not None else set(subject)
        if group[0].tag == "VBG" and group[0].lemma != "be" and lemma not in verbs("ending"):
            be = "was" if tense == "past" else "is"
            be = {"was": "were", "is": "are"}[be] if plural else be
            written = [be, *(["not"] if denied else []), *(token.text for token in group)]
        else:
            written = finite(group, tense, plural, denied)
        rest = clauses.text_of(i for i in after if i not in taken)
        adverbs = self._adverbs(main) if not kind.startswith(("object", "bare", "from")) else []
        words = [*clauses.text_of(subject), *adverbs, *written, *rest]
        span = (group[0].index, after[-1] + 1 if after else group[-1].index + 1)
        return self._made(word, kind, found, affirmed, words, verb, claim, span)

    def subordinate(self, main: Token) -> tuple[Embedded, Embedded] | None:
        clauses, tokens = self.clauses, self.clauses.tree.tokens
        for index in clauses.children[main.index]:
            clause = tokens[index]
            if clause.dep != "advcl" or clause.pos not in ("VERB", "AUX"):
                continue
            inside = clauses.below(index)
            marks = [
                tokens[i]
                for i in clauses.children[index]
                if tokens[i].dep in ("mark", "advmod") and i < index
            ]
            own = clauses.child(index, *_SUBJECTS)
            if not marks or own is None or marks[0].index != inside[0]:
                continue
            form = " ".join(spelling(tokens[i]) for i in range(inside[0], own.index))
            mark = form if signature(form, "subordinate") else spelling(marks[0])
            begin = inside[0] + len(mark.split())
            found = signature(mark, "subordinate")
            if mark == "when":  # of a past episode, or of whenever it is so
                past = clauses.tense(clause) == "past"
                found = signature("after" if past else "whenever", "subordinate")
            claim = self._claim(found, True)
            words = clauses.text_of(range(begin, inside[-1] + 1))
            span = (inside[0], inside[-1] + 1)
            one = self._made(marks[0], "subordinate", found, True, words, clause, claim, span)
            rest = [t.text for t in tokens if not span[0] <= t.index < span[1]]
            above = signature(mark, "main") or Signature(Claim.SO, Claim.SO, "main clause", "")
            two = self._made(marks[0], "main", above, True, rest, main, self._claim(above, True), span)
            return (one, two) if one and two else None
        return None

    def _verbs(self, verb: Token) -> list[Token]:
        return sorted([*self.clauses.auxiliaries(verb), verb], key=lambda token: token.index)

    def _subject(self, main: Token) -> list[int]:
        """The words of the main verb's subject."""
        subject = self.clauses.child(main.index, "nsubj", "nsubjpass", "expl")
        return [i for i in self.clauses.below(subject.index) if i < main.index] if subject is not None else []

    def _adverbs(self, main: Token) -> list[str]:
        """Adverbs between subject and verb, which hold of the clause as well: *rarely managed to win*."""
        tokens = self.clauses.tree.tokens
        return [
            tokens[i].text
            for i in self.clauses.children[main.index]
            if tokens[i].dep == "advmod" and i < main.index and tokens[i].pos == "ADV"
        ]

    def _end(self, main: Token, end: int) -> int:
        """Where a clause at the end of its sentence ends: before what is coordinated with the main clause."""
        tokens = self.clauses.tree.tokens
        for index in self.clauses.children[main.index]:
            if index >= end and tokens[index].dep in ("conj", "cc", "parataxis", "advcl"):
                return end
        return len(tokens)

    @staticmethod
    def _claim(found: Signature | None, affirmed: bool) -> Claim:
        return found.under(Claim.SO if affirmed else Claim.NOT_SO) if found is not None else Claim.OPEN

    def _made(
        self,
        word: Token,
        kind: str,
        found: Signature | None,
        affirmed: bool,
        words: list[str],
        verb: Token,
        claim: Claim,
        span: tuple[int, int],
    ) -> Embedded | None:
        text = sentence(words, self.clauses.tree)
        if kind == "modal" and claim is Claim.NOT_SO:
            claim = Claim.SO  # the negation was written out
        if not text:
            return None
        return Embedded(word.text, _lemma(word), kind, found, affirmed, text, verb.lemma.lower(), claim, span)


def _lemma(word: Token) -> str:
    """The lemma by which the lexicon knows a verb: a lemmatiser may take *hopes* for a form of *hop*."""
    spelled = word.word
    forms = (word.lemma.lower(), spelled.removesuffix("s"), spelled.removesuffix("d"))
    return next((form for form in forms if known(form)), forms[0])
