declare module 'virtual:call-button' {
  /** Made by build/prerender.ts. */
  const html: string;
  export default html;
}
declare module 'virtual:stub' {
  /** Made by build/prerender.ts. */
  const html: string;
  export default html;
}
