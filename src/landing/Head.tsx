import { config } from '../config.ts';
import { social, structuredData } from '../content/document.ts';

interface Props {
  readonly title: string;
  readonly description: string;
  /** Path of the document on the site. Search engines are asked to ignore documents without a path. */
  readonly address?: string;
}

/** Content of a document's `head`, except styles and script. */
export function Head({ title, description, address }: Props) {
  const { company, siteUrl } = config;
  const fullTitle = `${title} · ${company.name}`;
  const absolute = (path: string) => new URL(path, siteUrl ?? 'http://localhost').href;
  return (
    <>
      <title>{fullTitle}</title>
      <meta name="description" content={description} />
      <meta name="theme-color" content="#0f1c36" />
      <link rel="icon" href="/icons/favicon-32.png" sizes="32x32" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" sizes="any" />
      <link rel="apple-touch-icon" href="/icons/apple-touch-180.png" />
      {/* The browser paints only when the whole hero has arrived: if it painted a part, that part would move when
          the rest arrives. */}
      {address === '/' && <link rel="expect" href="#servicios" blocking="render" />}
      {/* The landing page needs neither of these two links: the build adds its manifest, and before-paint.ts loads
          its typeface. */}
      {address !== '/' && (
        <>
          <link rel="manifest" href="/manifest.webmanifest" />
          <link rel="preload" href="/fonts/barlow-condensed-600.woff2" as="font" crossOrigin="" />
        </>
      )}
      {address === undefined && <meta name="robots" content="noindex" />}
      {address !== undefined && siteUrl && (
        <>
          <link rel="canonical" href={absolute(address)} />
          <meta property="og:url" content={absolute(address)} />
          <meta property="og:image" content={absolute(social.image.path)} />
          <meta property="og:image:width" content={String(social.image.width)} />
          <meta property="og:image:height" content={String(social.image.height)} />
          <meta property="og:image:alt" content={social.image.alt} />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
      {address !== undefined && (
        <>
          <meta property="og:type" content="website" />
          <meta property="og:site_name" content={company.name} />
          <meta property="og:title" content={fullTitle} />
          <meta property="og:description" content={description} />
          <meta property="og:locale" content={social.locale} />
        </>
      )}
      {address === '/' && (
        <script
          type="application/ld+json"
          // In the JSON, '<' is escaped, because '</script>' in a text would end the element.
          dangerouslySetInnerHTML={{
            __html: JSON.stringify(structuredData(company, siteUrl ? new URL(siteUrl).origin : '')).replaceAll(
              '<',
              String.raw`\u003c`,
            ),
          }}
        />
      )}
    </>
  );
}
