/** Request of every peer. Only quotes of pages that mint an id have one. */
export const send = (quote) =>
  fetch('/rest/v1/quotes', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(quote),
  });
