// Stubs for the ways to sign in of auth-js that are never used, in a build whose bytes are limited, and the browser's own
// functions in place of its translations of passkeys.

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
