import { BackgroundSyncPlugin } from 'workbox-background-sync';
import { clientsClaim } from 'workbox-core';
import { registerRoute } from 'workbox-routing';
import { NetworkOnly } from 'workbox-strategies';

// Set up as in https://developer.chrome.com/docs/workbox/modules/workbox-background-sync. The check of the status is
// added, because the plugin alone does not retry after an error status.
self.skipWaiting();
clientsClaim();
const bgSyncPlugin = new BackgroundSyncPlugin('quotes', { maxRetentionTime: 24 * 60 });
const statusPlugin = {
  fetchDidSucceed: ({ response }) => {
    if (response.status >= 500) throw new Error('Server error.');
    return response;
  },
};
registerRoute(/\/rest\/v1\/quotes/, new NetworkOnly({ plugins: [statusPlugin, bgSyncPlugin] }), 'POST');
