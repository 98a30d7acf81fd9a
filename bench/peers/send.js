/** The request of every peer. None has an id: their documentation knows of none. */
export const send = (quote) =>
  fetch('/rest/v1/quotes', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(quote),
  });
