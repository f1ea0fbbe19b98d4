// Reads a script of the page far enough to see which literals are arguments of which functions, or values of which properties.

const WORD = /[\w$#]/;
/** What may stand before a division; otherwise a slash starts a regular expression. */
const OPERAND = /[\w$)\]]$/;

/**
 * Returns the literals of a script. `text` has a `{}` for every part that is inserted. `callee` is the function whose argument the literal
 * is, or part of, and `index` the number of the argument; `property` is the name of the property in an object that is an argument.
 * @param {string} source
 * @returns {{text: string, callee: string, index: number, property: string, line: number, isCompared: boolean}[]}
 */
export function literals(source) {
  const found = [];
  let line = 1;
  scan(0, {});
  return found;

  /** Reads up to a closing bracket or the end; returns the position behind it. */
  function scan(from, callee) {
    let at = from;
    /** The code of the current argument or property, without literals. */
    let code = '';
    let index = 0;
    let property = '';
    while (at < source.length) {
      const c = source[at];
      const two = source.slice(at, at + 2);
      if (two === '//') {
        at = end(source.indexOf('\n', at));
      } else if (two === '/*') {
        const close = source.indexOf('*/', at) + 2;
        line += source.slice(at, close).split('\n').length - 1;
        at = close;
      } else if (c === "'" || c === '"' || c === '`') {
        const here = line;
        const [text, next] = c === '`' ? template(at + 1) : quoted(at + 1, c);
        at = next;
        // A name of a property is no text.
        if (/^\s*:/.test(source.slice(at, at + 20)) && !code.trim()) property = text;
        else found.push({ text, callee: callee.name ?? '', index: callee.outer ?? index, property, line: here, isCompared: /[!=]==\s*$/.test(code) });
        code += 'x';
      } else if (c === '/' && !OPERAND.test(code.trimEnd().replace(/\b(return|case|typeof)$/, ''))) {
        const regex = /^\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/.exec(source.slice(at));
        at += regex ? regex[0].length : 1;
        code += 'x';
      } else if ('([{'.includes(c)) {
        const called = c === '(' ? /([\w$.#]+)\s*$/.exec(code)?.[1] : undefined;
        // An object is part of the argument that it is in.
        const inner = c === '(' ? { name: called && !/^(if|for|while|switch|return)$/.test(called) ? called : (callee.name ?? ''), outer: called ? undefined : (callee.outer ?? index) } : { name: callee.name, outer: callee.outer ?? index };
        at = scan(at + 1, c === '{' && /(=>|\)|else|try|finally)\s*$/.test(code) ? {} : inner);
        code += 'x';
      } else if (')]}'.includes(c)) {
        return at + 1;
      } else {
        if (c === '\n') line++;
        if (c === ',') {
          index++;
          code = '';
          property = '';
        } else if (c === ';') {
          code = '';
          property = '';
        } else {
          code += c;
          const key = /^\s*([\w$]+)\s*:$/.exec(code);
          if (key) property = key[1];
        }
        at++;
      }
    }
    return at;
  }

  function end(position) {
    return position < 0 ? source.length : position;
  }

  function quoted(from, quote) {
    let at = from;
    while (source[at] !== quote) at += source[at] === '\\' ? 2 : 1;
    return [source.slice(from, at).replace(/\\(.)/g, '$1'), at + 1];
  }

  function template(from) {
    let [text, at] = ['', from];
    while (source[at] !== '`') {
      if (source.startsWith('${', at)) {
        at = scan(at + 2, {});
        text += '{}';
      } else {
        if (source[at] === '\n') line++;
        text += source[at] === '\\' ? source[++at] : source[at];
        at++;
      }
    }
    return [text, at + 1];
  }
}
