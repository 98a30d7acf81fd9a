// In place of the parts of supabase-js that nothing here asks for, in a build where each byte is counted: what it makes
// of them at its start, and what it hands on by name.

export function StorageClient() {}
export function FunctionsClient() {}
/** It is told each new token. */
export class RealtimeClient {
  setAuth(): void {}
}
export class StorageApiError extends Error {}
export class FunctionsError extends Error {}
export {
  FunctionsError as FunctionsFetchError,
  FunctionsError as FunctionsHttpError,
  FunctionsError as FunctionsRelayError,
};
export const FunctionRegion = {};
