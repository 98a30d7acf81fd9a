// Stubs for the ways to sign in of auth-js that are never used, in a build whose bytes are limited.

export function WebAuthnApi() {}

function unused(): never {
  throw new Error('Staff sign in with a password.');
}
export {
  unused as browserSupportsWebAuthn,
  unused as createCredential,
  unused as createSiweMessage,
  unused as deserializeCredentialCreationOptions,
  unused as deserializeCredentialRequestOptions,
  unused as fromHex,
  unused as getAddress,
  unused as getCredential,
  unused as serializeCredentialCreationResponse,
  unused as serializeCredentialRequestResponse,
  unused as toHex,
  unused as webAuthnAbortService,
};
