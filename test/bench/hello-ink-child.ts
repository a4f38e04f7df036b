import { render, Text, useInput } from 'ink';
import { createElement, useState } from 'react';

/** The least that a terminal UI on Ink does: it draws a word, and what is typed behind it. */
function Hello() {
  const [typed, type] = useState('');
  useInput((input) => type((before) => before + input));
  return createElement(Text, null, `hello ${typed}`);
}

render(createElement(Hello), { exitOnCtrlC: true });
