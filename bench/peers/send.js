/** Sends a quote; all peers use this function. The quote has an id only if the peer's page has made one. */
export const send = (quote) =>
  fetch('/rest/v1/quotes', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(quote),
  });
