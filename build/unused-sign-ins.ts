// Stubs for auth-js's ways to sign in that the desk does not offer; they keep the desk small. The four functions for
// passkeys, which the desk offers as a second step, call the browser's own functions.

declare const PublicKeyCredential: {
  parseCreationOptionsFromJSON(options: unknown): unknown;
  parseRequestOptionsFromJSON(options: unknown): unknown;
};

export const deserializeCredentialCreationOptions = (options: unknown) =>
  PublicKeyCredential.parseCreationOptionsFromJSON(options);
export const deserializeCredentialRequestOptions = (options: unknown) =>
  PublicKeyCredential.parseRequestOptionsFromJSON(options);
export const serializeCredentialCreationResponse = (credential: { toJSON(): unknown }) => credential.toJSON();
export const serializeCredentialRequestResponse = (credential: { toJSON(): unknown }) => credential.toJSON();

export function WebAuthnApi() {}

function unused(): never {
  throw new Error('Staff sign in with a password, and a second factor.');
}
export {
  unused as browserSupportsWebAuthn,
  unused as createCredential,
  unused as createSiweMessage,
  unused as fromHex,
  unused as getAddress,
  unused as getCredential,
  unused as toHex,
  unused as webAuthnAbortService,
};
