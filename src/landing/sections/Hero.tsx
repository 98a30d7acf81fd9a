import { config, heroImageUrl } from '../../config.ts';
import { spanishWords, englishWords } from '../../content/bilingual.ts';
import { claims } from '../../content/claims.ts';
import { hero } from '../../content/hero.ts';
import { navigation } from '../../content/navigation.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { ButtonWords } from '../../ui/ButtonWords.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Translation } from '../../ui/Translation.tsx';
import { telephone } from '../../ui/contact-links.ts';
import styles from './Hero.module.css';

export function Hero() {
  const { headline, copy, badges } = hero;
  const [start, end] = spanishWords(headline).split(spanishWords(claims.transit));
  return (
    <section id="hero" className={`${styles['hero']} night`} aria-labelledby="hero-titulo">
      <div className={styles['sky']} aria-hidden="true">
        {heroImageUrl && <img data-src={heroImageUrl} alt="" crossOrigin="anonymous" decoding="async" />}
        {/* The Pacific seen from above 27° N, 178° W (orthographic projection, radius 400): land from Natural
            Earth, a graticule line every 30°, and the great circle from Tijuana to Zhengzhou with a tick for each
            hour of flight. client.ts takes the drawing out of `noscript` later. */}
        <noscript>
          <svg viewBox="-20 -20 840 490">
            <use href="/hero-globe.svg#globo" />
          </svg>
        </noscript>
      </div>
      <div className={styles['copy']}>
        <h1 id="hero-titulo">
          {start}
          <b>{spanishWords(claims.transit)}</b>
          {end}
        </h1>
        <Translation as="p" className={styles['english']} text={headline} />
        <Bilingual text={copy} />
        <p className={styles['act']}>
          <a className="button" href="#contact-form">
            <ButtonWords text={navigation.quote} />
          </a>
          <a href={telephone(config.company.phone)}>
            <Icon name="phone" />
            {config.company.phone}
          </a>
        </p>
      </div>
      <ul className={styles['badges']}>
        {badges.map(({ figure, text }) => (
          <li key={englishWords(text)}>
            <b className="figure">{figure}</b>
            <span className="label">{spanishWords(text)}</span>
            <Translation text={text} />
          </li>
        ))}
      </ul>
    </section>
  );
}
