// Closes the other answers when one is opened.
const answers = document.querySelectorAll<HTMLDetailsElement>('#preguntas details');
for (const answer of answers)
  answer.addEventListener('toggle', () => {
    if (answer.open) for (const other of answers) other.open = other === answer;
  });

export {};
