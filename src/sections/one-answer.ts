/** Engines older than `<details name>` leave each answer open beside the next. */
export function keepOneAnswerOpen(): void {
  if ('name' in HTMLDetailsElement.prototype) return;
  const answers = document.querySelectorAll<HTMLDetailsElement>('#preguntas details');
  for (const answer of answers)
    answer.addEventListener('toggle', () => {
      if (answer.open) for (const other of answers) other.open = other === answer;
    });
}
