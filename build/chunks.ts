/**
 * Entry modules of each chunk. A chunk contains its entries and the modules that they import, except modules of an
 * earlier chunk in this list. Every other dynamic import becomes a separate chunk.
 */
export const leadingInto: Readonly<Record<string, readonly string[]>> = {
  // The loader of the other chunks, and the few modules that all chunks share. The loader imports nothing from other
  // chunks.
  index: [
    'index.html',
    'src/content/bilingual.ts',
    'src/phone/persistent-storage.ts',
    'src/phone/call-back.ts',
    'src/ui/split-at-codes.ts',
    'src/ui/ButtonWords.module.css',
  ],
  // Shared modules without React: toasts, facts of the company, sentences of the form and of calls.
  basis: [
    'src/notices/toaster.ts',
    'src/phone/busy.ts',
    'src/config.ts',
    'src/content/claims.ts',
    'src/content/failures.ts',
    'src/content/sentences.ts',
  ],
  form: ['src/landing/quote-form.ts'],
  sending: ['src/form/send-quote.ts'],
  follow: ['src/receipts/watch-stub.ts', 'src/content/quote-form.ts'],
  react: ['src/ui/hydrate.tsx', 'src/ui/internal-page.tsx'],
  common: [
    'src/ui/Inline.tsx',
    'src/ui/Bilingual.tsx',
    'src/ui/ButtonWords.tsx',
    'src/ui/Translation.tsx',
    'src/ui/lazy-part.tsx',
    'src/ui/store.ts',
    'src/ui/use-online.ts',
    'src/ui/focus.ts',
    'src/ui/create-store.ts',
  ],
  line: ['src/phone/connection.ts', 'src/phone/data-saver.ts', 'src/phone/installed.ts', 'src/phone/end-tab-drafts.ts'],
  phone: ['src/phone/PhoneSettings.tsx', 'src/phone/InstallOffer.tsx', 'src/phone/StorageLine.tsx'],
  // Styles of the call button, which the page shows before it loads the code of calls.
  'voice-button': ['src/voice/VoiceIcon.module.css', 'src/voice/VoiceMark.module.css', 'src/voice/Bubbles.module.css'],
  land: ['src/network/land.ts'],
  // The form is a single chunk: one chunk compresses better than five, and arrives completely or not at all.
  quote: ['src/landing/Quote.tsx'],
  receipt: ['src/receipts/Receipt.tsx', 'src/receipts/RepeatQuote.tsx', 'src/receipts/HandOff.tsx'],
  // quote-order.ts is here, because two components that load after Tray.tsx share it: the list of quotes, and the link
  // above the hero.
  others: ['src/receipts/Tray.tsx', 'src/receipts/quote-order.ts'],
};

export const chunks = Object.entries(leadingInto).map(([name, files]) => ({
  name,
  // The id of a module with only the class names of a style sheet ends in `.js`. The sheet itself is inlined in the
  // document (build/prerender.ts).
  test: (id: string) => files.some((file) => id.endsWith(`/${file}`) || id.endsWith(`/${file}.js`)),
}));
