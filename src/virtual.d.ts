declare module 'virtual:call-button' {
  /** Markup of the call button, made by build/prerender.ts. */
  const html: string;
  export default html;
}
declare module 'virtual:stub' {
  /** Markup of the stub, a receipt without React, made by build/prerender.ts. */
  const html: string;
  export default html;
}
