declare module 'prerendered:voice' {
  /** Made by build/prerender.ts. */
  const html: string;
  export default html;
}
