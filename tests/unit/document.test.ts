import { expect, test } from 'vitest';
import { fillDocument, sheetsShown, type Document } from '../../build/document.ts';
import { joinStyles } from '../../build/styles.ts';

const showing = (body: string, later = ''): Document => ({ head: '', body, later });

test('puts a document into the template at its comments', () => {
  const template = '<html lang="es-MX"><head><!--head--><!--script--></head><body><!--body--></body></html>';
  const document = { head: '<title>$& por kilo</title>', body: '<p>Desde $1</p>', later: '<i></i>' };
  const parts = { root: 'data-weight="9"', styles: '<style>p{a:b}</style>', script: "let a='$`'" };
  const start = '<html data-weight="9" lang="es-MX"><head><title>$& por kilo</title><style>p{a:b}</style>';
  const end = '</head><body><p>Desde $1</p><i></i></body></html>';
  expect(fillDocument(template, document, parts)).toBe(`${start}<script>let a='$\`'</script>${end}`);
  const { script: _script, ...silent } = parts;
  expect(fillDocument(template, document, silent)).toBe(start + end);
});

const base = { file: 'base.css', css: '@font-face{font-family:x;src:url(/fonts/x.woff2)}\n.button { color: red }\n' };
const hero = { file: 'Hero', names: { hero: 'A0', sky: 'A1' }, css: '@media print { .A1 a { color: #ff0000 } }\n' };
const footer = { file: 'Footer', names: { footer: 'B0' }, css: '.B0 { color: blue }\n.B0 { margin: 0 }\n' };
const sheets = [base, hero, footer];

test('includes the sheets that a document uses, and those common to all documents', () => {
  expect(sheetsShown([showing('<p class="night A1">B0</p>')], sheets)).toEqual([base, hero]);
  expect(sheetsShown([showing('<p class="A10 B01"></p>')], sheets)).toEqual([base]);
  expect(sheetsShown([showing('<p></p>'), showing('<p class="B0"></p>')], sheets)).toEqual([base, footer]);
});

test('loads the styles of hidden parts later', () => {
  expect(sheetsShown([showing('<p class="A0"></p>', '<p class="B0"></p>')], sheets)).toEqual([base, hero]);
});

test('joins the styles into one small sheet, in the order of the sheets', () => {
  expect(joinStyles(sheets)).toBe(
    '@font-face{font-family:x;src:url(/fonts/x.woff2)}.button{color:red}@media print{.A1 a{color:red}}.B0{color:#00f;margin:0}',
  );
});
