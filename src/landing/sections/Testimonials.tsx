import { ownTestimonials } from '../../config.ts';
import { sampleTestimonials, testimonials } from '../../content/testimonials.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Roll } from '../../ui/Roll.tsx';
import { Section } from '../../ui/Section.tsx';
import styles from './Testimonials.module.css';

const STAR = 'l3 6 6.6.9-4.8 4.6 1.2 6.6-6-3.2-6 3.2 1.2-6.6-4.8-4.6 6.6-.9z';

const voices = ownTestimonials ?? sampleTestimonials;

export function Testimonials() {
  if (voices.length === 0) return null;
  return (
    <Section id="clientes" title={testimonials.title}>
      <svg className="hidden" aria-hidden="true">
        <path id="estrellas" d={[10, 32, 54, 76, 98].map((x) => `M${x} 0${STAR}`).join('')} />
      </svg>
      <Roll className={styles['voices']}>
        {voices.map(({ quote, quoteEn, author, role }) => (
          <li key={author}>
            <blockquote>
              <Bilingual text={{ es: quote, en: quoteEn }} />
            </blockquote>
            <svg viewBox="0 0 108 19" role="img" aria-label={testimonials.rating}>
              <use href="#estrellas" />
            </svg>
            <p>
              <b>{author}</b> {role}
            </p>
          </li>
        ))}
      </Roll>
    </Section>
  );
}
