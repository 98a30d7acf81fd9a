/** The request of every peer. A quote has an id where its page mints one, and none by itself. */
export const send = (quote) =>
  fetch('/rest/v1/quotes', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(quote),
  });
