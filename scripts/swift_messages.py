"""Reads Swift source as far as scripts/list-messages needs it: tokens with literals and their interpolations, and the
texts that stand where errors are made.
"""
import re

# Errors that are declared elsewhere, or that are no `Error` themselves but the text of one.
OTHER_ERRORS = {'ValidationError', 'DraftDiagnostic', 'DecodingError', 'Context', 'HTTPError', 'WaitReason'}
# Declarations of errors that only the program itself sees.
INNER_ERRORS = {'Code', 'CodingKeys'}
# Names of parameters whose texts become part of an error, and functions that have them for another purpose.
TEXT_PARAMETERS = {'message', 'remedy', 'problem', 'reason', 'wrong', 'fault', 'trouble', 'doing'}
OTHER_FUNCTIONS = {'log', 'drop', 'pause', 'say', 'diagnostics', 'init', 'reasons', 'makeReady', 'checkReaches'}
# Cases and lists that get the text of an error; labels of such texts; and the last words of the names of functions and
# properties that return one.
TEXT_HOLDERS = {'failed', 'dropped', 'violatedProtocol', 'append'}
TEXT_LABELS = {'message', 'remedy', 'problem', 'complaint', 'trouble'}
TEXT_RESULT = re.compile(r'(?:complaint|fault|reason|remedy|message|problem|refusal|trouble|validationError|unknown|lackOf\w+)s?$', re.I)

TOKEN = re.compile(
    r'\s+(?:(?://[^\n]*|/\*.*?\*/)\s*)*|//[^\n]*|/\*.*?\*/'
    r'|(?P<plain>"(?!"")(?:[^"\\\n]|\\[^(\n])*")'
    r'|(?P<text>#*"""|#*")'
    r'|(?P<name>`?[A-Za-z_]\w*`?)'
    r'|(?P<sign>->|\?\?|&&|\|\||[=!<>+]=|\d[\w.]*|.)', re.S)
ESCAPE = re.compile(r'\\(u\{[0-9a-fA-F]+\}|\n\s*|.)', re.S)
PAIRS = {'(': ')', '[': ']', '{': '}'}


def unescape(text):
    """The text that an unhashed Swift literal means."""
    def plain(match):
        mark = match[1]
        if mark.startswith('u'):
            return chr(int(mark[2:-1], 16))
        return {'n': '\n', 't': '\t', '0': '\0', 'r': '\r'}.get(mark, '' if mark[0] == '\n' else mark)
    return ESCAPE.sub(plain, text) if '\\' in text else text


def read_text(source, start, quote):
    """Reads a literal behind its opening quote: its runs of text between interpolations, the source texts of these, and
    the place behind it."""
    hashes = len(quote) - len(quote.lstrip('#'))
    end = quote.lstrip('#') + '#' * hashes
    opening = '\\' + '#' * hashes + '('
    runs, inner, run, place = [], [], [], start
    while place < len(source):
        if source.startswith(end, place):
            place += len(end)
            break
        if source.startswith(opening, place):
            runs.append(''.join(run))
            run = []
            begin = place = place + len(opening)
            depth = 1
            while depth and place < len(source):
                match = TOKEN.match(source, place)
                place = match.end()
                if match['text']:
                    _, _, place = read_text(source, place, match['text'])
                elif match['sign'] in ('(', ')'):
                    depth += 1 if match['sign'] == '(' else -1
            inner.append((begin, source[begin:place - 1]))
        elif source[place] == '\\' and not hashes:
            match = ESCAPE.match(source, place)
            run.append(unescape(match[0]))
            place = match.end()
        else:
            run.append(source[place])
            place += 1
    return runs + [''.join(run)], inner, place


class Token:
    __slots__ = ('kind', 'text', 'place', 'runs', 'inner', 'mate')

    def __init__(self, kind, text, place, runs=None, inner=()):
        self.kind, self.text, self.place, self.runs, self.inner, self.mate = kind, text, place, runs, inner, None


def tokens_of(source, first=0):
    """The tokens of Swift source, without comments; brackets know their mates."""
    found, open_brackets, place = [], [], 0
    read = TOKEN.match
    while place < len(source):
        match = read(source, place)
        kind, text, begin, place = match.lastgroup, match[0], place, match.end()
        if kind is None:
            continue
        if kind == 'plain':
            found.append(Token('text', '', first + begin, [unescape(text[1:-1])]))
        elif kind == 'text':
            runs, inner, place = read_text(source, place, text)
            found.append(Token('text', '', first + begin, runs, [(first + at, code) for at, code in inner]))
        else:
            token = Token(kind, text, first + begin)
            if text in PAIRS:
                open_brackets.append(len(found))
            elif text in ')]}' and open_brackets:
                token.mate = open_brackets.pop()
                found[token.mate].mate = len(found)
            found.append(token)
    return found


class SourceFile:
    def __init__(self, path, root):
        self.path = path.relative_to(root).as_posix()
        self.source = path.read_text()
        self.read_tokens = None

    @property
    def tokens(self):
        if self.read_tokens is None:
            self.read_tokens = tokens_of(self.source)
        return self.read_tokens

    def line(self, place):
        return self.source.count('\n', 0, place) + 1


def declared_errors(files):
    """The names of the error types, and those of the protocols that make a type one."""
    protocols = {'Error', 'ClassifiedError', 'CommandFailureConvertible'}
    declaration = re.compile(r'\b(?:struct|enum|class|extension)\s+([\w.]+)(?:<[^>{]*>)?\s*:\s*([^{=]*)\{')
    alias = re.compile(r'\btypealias\s+(\w+)\s*=\s*CodedError<')
    names = set(OTHER_ERRORS) | {'CodedError'}
    for file in files:
        for match in declaration.finditer(file.source):
            if protocols & set(re.findall(r'\w+', match[2])):
                names.add(match[1].split('.')[-1])
        names.update(alias.findall(file.source))
    return names - INNER_ERRORS


def regions(file, errors, helpers):
    """The places where messages may stand: (first token, token behind the last, type or helper, the constant's name or '')."""
    tokens = file.tokens
    for index, token in enumerate(tokens):
        if token.kind != 'name':
            continue
        following = tokens[index + 1].text if index + 1 < len(tokens) else ''
        before = tokens[index - 1].text if index else ''
        if token.text == 'throw':
            yield index, end_of_statement(tokens, index), 'throw', ''
        elif following == '(' and before != 'func':
            name = token.text
            if name == 'init' and before == '.' and index > 1:
                name = tokens[index - 2].text
            if name == 'check' and (before != '.' or tokens[index - 2].text != 'LibavResult'):
                continue
            is_holder = name in TEXT_HOLDERS and before == '.'
            if is_holder and name == 'append':
                is_holder = index > 1 and tokens[index - 2].text in ('faults', 'missing', 'problems', 'warnings', 'wrong')
            if name in errors or name in helpers or is_holder:
                yield index + 1, tokens[index + 1].mate or index, name, ''
        elif token.text in TEXT_LABELS and following in (':', '=', '+='):
            yield index + 1, end_of_statement(tokens, index + 1), token.text, ''
        elif token.text in ('struct', 'enum', 'class', 'extension') and before != '.':
            body = first_brace(tokens, index)
            name = tokens[body - 1].text if body and tokens[body - 1].kind == 'name' else ''
            names = [item.text for item in tokens[index + 1:body] if item.kind == 'name'] if body else []
            path = names[:1]
            for place in range(index + 2, body or index, 2):
                if tokens[place].text != '.':
                    break
                path.append(tokens[place + 1].text)
            if path and path[-1] in errors:
                yield body, tokens[body].mate, path[-1], ''
        elif token.text in ('func', 'var', 'let') and index + 1 < len(tokens):
            body, result = declaration_result(tokens, index)
            name = tokens[index + 1].text
            if body and errors & set(result):
                kind = next(part for part in result if part in errors)
                yield body, tokens[body].mate, kind, name
            elif body and 'String' in result and TEXT_RESULT.search(name):
                yield body, tokens[body].mate, name, name


def first_brace(tokens, index):
    for place in range(index, min(index + 60, len(tokens))):
        if tokens[place].text == '{':
            return place if tokens[place].mate else None
        if tokens[place].text in ('}', '='):
            return None
    return None


def declaration_result(tokens, index):
    """The body of a function or computed property, and the names in its result's type."""
    place = index + 2
    if tokens[index].text == 'func':
        while place < len(tokens) and tokens[place].text != '(':
            place += 1
        if place >= len(tokens) or not tokens[place].mate:
            return None, []
        place = tokens[place].mate + 1
        while place < len(tokens) and tokens[place].text not in ('->', '{', '}', 'func', 'var', 'let'):
            place += tokens[place].mate - place + 1 if tokens[place].text == '(' and tokens[place].mate else 1
        if place >= len(tokens) or tokens[place].text != '->':
            return None, []
    elif tokens[place].text != ':':
        return None, []
    result = []
    while place < len(tokens) and tokens[place].text not in ('{', '}', '=', 'func', 'var', 'let', 'case', 'init'):
        result.append(tokens[place].text)
        place += 1
    if place < len(tokens) and tokens[place].text == '{' and tokens[place].mate:
        return place, result
    return None, []


def end_of_statement(tokens, index):
    """The token behind a `throw` statement: the expression ends where an operand has no operator behind it."""
    place, depth_end = index + 1, len(tokens)
    while place < depth_end:
        token = tokens[place]
        if token.text in (')', ']', '}'):
            return place
        if token.text in PAIRS and token.mate:
            place = token.mate
        following = tokens[place + 1].text if place + 1 < depth_end else '}'
        operand = tokens[place].kind in ('name', 'text') or tokens[place].text in (')', ']', '}')
        begins = following in (',', ';', '{', '}', ')', ']') or (
            place + 1 < depth_end and tokens[place + 1].kind in ('name', 'text'))
        if operand and begins and tokens[place].text not in ('try', 'await', 'is', 'as', 'any'):
            return place + 1
        place += 1
    return place


def helpers_of(files):
    """Functions with a parameter for a text that becomes part of an error."""
    names = set()
    head = re.compile(r'\bfunc (\w+)(?:<[^>]*>)?\(([^{}]*?)\)\s*(?:async |throws|->|\{)', re.S)
    for file in files:
        for match in head.finditer(file.source):
            for parameter in re.finditer(r'(\w+)\s*:\s*(?:@autoclosure \(\) -> )?String\b', match[2]):
                if parameter[1] in TEXT_PARAMETERS:
                    names.add(match[1])
    return names - OTHER_FUNCTIONS


def chains(tokens, begin, end):
    """The texts of tokens that may be messages: (token, runs between what is computed)."""
    place = begin
    while place < end:
        token = tokens[place]
        if token.kind != 'text':
            place += 1
            continue
        runs = list(token.runs)
        if place and tokens[place - 1].text == '+':
            runs.insert(0, '')
        while place + 2 < end and tokens[place + 1].text == '+':
            operand = place + 2
            if tokens[operand].kind == 'text':
                runs[-1:] = [runs[-1] + tokens[operand].runs[0]] + tokens[operand].runs[1:]
                place = operand
                continue
            if tokens[operand].text == '(':
                # The alternatives in brackets are messages of their own.
                yield from chains(tokens, operand, tokens[operand].mate or operand)
            while operand < end:
                if tokens[operand].text in PAIRS and tokens[operand].mate:
                    operand = tokens[operand].mate
                following = tokens[operand + 1].text if operand + 1 < end else ''
                if following not in ('.', '(', '[', '?', '{') and tokens[operand].text != '.':
                    break
                operand += 1
            runs.append('')
            place = operand
        yield token, runs
        place += 1


WORD = re.compile(r"[A-Za-z]{2,}")


def is_message(runs):
    if runs[0].lstrip().startswith(('SELECT ', 'UPDATE ', 'INSERT ', 'DELETE ', 'WITH ')):
        return False
    words = [word for run in runs for word in WORD.findall(run)]
    spoken = [word for word in words if word.islower()]
    return len(words) >= 2 and len(spoken) >= 1 and ' ' in '...'.join(runs).strip()


def squeeze(text):
    return ' '.join(text.split())


def messages_of(file, errors, helpers):
    """The messages of one file, by the place of their first text."""
    found = {}
    hints = errors | helpers | TEXT_LABELS | {'throw', 'String?', '-> String'}
    if not any(hint in file.source for hint in hints):
        return

    def rank(kind):
        return 2 if kind in errors else 1 if kind in helpers else 0

    def collect(tokens, begin, end, kind, constant, code):
        for token, runs in chains(tokens, begin, end):
            for place, inner in token.inner:
                if '"' in inner:
                    nested = tokens_of(inner, place)
                    collect(nested, 0, len(nested), kind, constant, code)
            runs = [re.sub(r'\s+', ' ', run) for run in runs]
            if is_message(runs):
                before = found.get(token.place)
                kinds = (kind, constant, code)
                if before:
                    old = before['kinds']
                    kinds = (kinds if rank(kind) >= rank(old[0]) else old)[:1] + (constant or old[1], code or old[2])
                found[token.place] = {'runs': runs, 'kinds': kinds}

    for begin, end, kind, constant in regions(file, errors, helpers):
        tokens, code = file.tokens, ''
        if tokens[begin].text == '(' and begin + 2 < len(tokens) and tokens[begin + 1].text == '.':
            code = tokens[begin + 2].text
        collect(tokens, begin, end or begin, kind, constant, code)
    types = re.findall(r'\b(?:struct|enum|class|actor|extension|protocol)\s+([\w.]+)', file.source)
    for place, message in sorted(found.items()):
        kind, constant, code = message['kinds']
        yield {
            'path': file.path, 'line': file.line(place), 'type': kind, 'code': code,
            'text': '...'.join(message['runs']).strip(), 'runs': message['runs'],
            'constants': [f'{name.split(".")[-1]}.{constant}' for name in types + [kind]] if constant else [],
        }
