// Stubs for parts of supabase-js that are never used, in a build whose bytes are limited: the clients that supabase-js
// constructs, and the names that it exports.

export function StorageClient() {}
export function FunctionsClient() {}
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
