/** Runs in the page: describes each text that leaves the screen or its box, or is broken at a wrong place. */
export function findMisfits(): string[] {
  // Texts that must not be broken into two lines: folios, telephone numbers, route codes, figures with units, single words.
  const WHOLE =
    /AP-\w{4}-\w{4}|[\w.-]+@[\w.-]*\w|\+\d[\d\s]{7,}\d|\(?[A-Z]{2,}(?:[–\u2011/-][A-Z]{2,})+|(?:US\s)?\$?\d[\d.,:]*(?:[–-]\d[\d.,]*)?(?:[k%+]|\s?(?:h|t|kg|min|px|°C)(?!\p{L}))?|[¿¡(]?\p{L}+[).,:?!]*/gu;
  // Elements whose font size depends on the screen’s width. Their longest word must fit even at twice the text size.
  const BOUNDED = 'h1, h2, .figure, summary b';
  const isTextLarge = parseFloat(getComputedStyle(document.documentElement).fontSize) > 16;
  const found = new Set<string>();
  const screen = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > screen)
    found.add(`the page is ${document.documentElement.scrollWidth} px wide`);

  const top = document.querySelector('dialog[open]') ?? document.body;
  const texts = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    const parent = text.parentElement!;
    const words = text.data.trim();
    if (!words || !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    // Drawings and the map are clipped by their frame, and hidden texts are only for screen readers.
    if (parent.closest('.hidden, .skip, svg, script, style, .leaflet-container')) continue;
    const name = `'${words.slice(0, 40)}'`;
    const lines = linesOf(text, 0, text.length);
    for (const line of lines) {
      // A list that scrolls sideways may continue beyond the edge of the screen.
      if (!parent.closest('ul[tabindex]') && (line.left < -1 || line.right > screen + 1))
        found.add(`${name} leaves the screen`);
      const box = parent.closest(
        'button, .button, li, td, th, label, .field, .stub, .label, dialog, aside, [role=status], article, footer, section',
      );
      const frame = box?.getBoundingClientRect();
      if (frame && (line.left < frame.left - 1 || line.right > frame.right + 1)) found.add(`${name} leaves its box`);
      const fixed = parent.closest('button, .button, aside, nav li, .line')?.getBoundingClientRect();
      // The tolerance is needed because a line of text is higher than its letters.
      if (fixed && (line.top < fixed.top - 4 || line.bottom > fixed.bottom + 4))
        found.add(`${name} is higher than its box`);
    }
    if (areOneLine(lines)) continue;
    for (const { 0: token, index } of text.data.matchAll(WHOLE)) {
      const pieces = linesOf(text, index, index + token.length);
      if (areOneLine(pieces)) continue;
      // Large text and mail addresses may be broken if they are wider than their box.
      const needed = pieces.reduce((sum, { width }) => sum + width, 0);
      const mayBreak = (isTextLarge && !parent.closest(BOUNDED)) || token.includes('@');
      if (!mayBreak || needed < roomIn(blockOf(parent))) found.add(`'${token}' breaks in ${name}`);
    }
  }

  const ruler = document.body.appendChild(document.createElement('span'));
  ruler.style.cssText = 'position: absolute; white-space: nowrap';
  for (const item of document.querySelectorAll('li')) {
    const { content, width, font } = getComputedStyle(item, '::before');
    if (!content.startsWith('counter') || !item.checkVisibility()) continue;
    ruler.style.font = font;
    const number = String([...item.parentElement!.children].indexOf(item) + 1);
    ruler.textContent = content.includes('zero') ? `0${number}` : number;
    if (ruler.getBoundingClientRect().width > parseFloat(width) + 0.5)
      found.add(`the number of '${item.textContent.slice(0, 20)}' breaks`);
  }
  ruler.remove();

  // A label of the navigation bar must not touch the next label, the rounded end or the button to the form.
  const toForm = document.querySelector('nav + .button')?.getBoundingClientRect();
  for (const label of document.querySelectorAll('nav li span:not([lang])')) {
    const item = label.closest('li')!.getBoundingClientRect();
    const { left, right, width } = label.getBoundingClientRect();
    if (width > 0 && (left < item.left + 1 || right > item.right - 1))
      found.add(`'${label.firstChild!.textContent}' touches its edge in the bar`);
    if (width > 0 && toForm && right > toForm.left) found.add(`'${label.firstChild!.textContent}' lies under a button`);
  }
  return [...found];

  function blockOf(element: Element): Element {
    return getComputedStyle(element).display === 'inline' ? blockOf(element.parentElement!) : element;
  }

  function roomIn(block: Element): number {
    const { paddingLeft, paddingRight } = getComputedStyle(block);
    return block.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  }

  function areOneLine(pieces: readonly DOMRect[]): boolean {
    const tops = pieces.map(({ top: y }) => y);
    return Math.max(...tops) - Math.min(...tops) < 4;
  }

  function linesOf(node: Text, from: number, to: number): DOMRect[] {
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, to);
    return [...range.getClientRects()].filter(({ width }) => width > 0);
  }
}
