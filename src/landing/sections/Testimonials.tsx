import { ownTestimonials } from '../../config.ts';
import { sampleTestimonials, testimonials } from '../../content/testimonials.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { ScrollingList } from '../../ui/ScrollingList.tsx';
import { Section } from '../../ui/Section.tsx';
import styles from './Testimonials.module.css';

/** SVG path of one star. The path ends at its start, from which the next star is drawn. */
const STAR = 'l3 6 6.6.9-4.8 4.6 1.2 6.6-6-3.2-6 3.2 1.2-6.6-4.8-4.6 6.6-.9z';

const STAR_WIDTH = 22;

const voices = ownTestimonials ?? sampleTestimonials;

export function Testimonials() {
  if (voices.length === 0) return null;
  return (
    <Section id="clientes" title={testimonials.title}>
      <svg className="hidden" aria-hidden="true">
        <path id="estrellas" d={`M10 0${Array<string>(5).fill(STAR).join(`m${STAR_WIDTH} 0`)}`} />
      </svg>
      <ScrollingList className={styles['voices']}>
        {voices.map(({ quote, quoteEn, author, role, rating }) => (
          <li key={author}>
            <blockquote>
              <Bilingual text={{ es: quote, en: quoteEn }} />
            </blockquote>
            <svg viewBox={`0 0 ${rating * STAR_WIDTH - 2} 19`} role="img" aria-label={testimonials.rating(rating)}>
              <use href="#estrellas" />
            </svg>
            <p>
              <b>{author}</b> {role}
            </p>
          </li>
        ))}
      </ScrollingList>
    </Section>
  );
}
