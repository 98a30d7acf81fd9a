import { FORM_ID } from '../../agreements.ts';
import { isSavingData } from '../../phone/is-saving-data.ts';

const FOCUS_DELAY = 800;

/**
 * Highlights the navigation item that was clicked or whose section is on the screen. 'Cotizar Ahora' scrolls to the
 * form and then focuses its first field.
 */
export function startNavigation(): void {
  const links = new Map<Element, Element>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav a[href^="#"]')) {
    const target = document.querySelector(link.hash);
    if (target) links.set(target, link);
  }

  const choose = (chosen: Element | undefined) => {
    for (const link of links.values()) {
      if (link === chosen) link.setAttribute('aria-current', 'location');
      else link.removeAttribute('aria-current');
    }
  };

  // Time until which the clicked item stays highlighted, because the smooth scroll passes other sections.
  let clickedUntil = 0;
  const observer = new IntersectionObserver(
    () => {
      if (performance.now() < clickedUntil) return;
      const top = (section: Element) => section.getBoundingClientRect().top;
      let current: Element | undefined;
      for (const section of links.keys()) {
        if (top(section) < innerHeight / 2 && (!current || top(section) > top(current))) current = section;
      }
      if (current) choose(links.get(current));
    },
    { rootMargin: '-45% 0px -54%' },
  );
  for (const [section, link] of links) {
    observer.observe(section);
    link.addEventListener('click', () => {
      clickedUntil = performance.now() + 1000;
      choose(link);
    });
  }

  const form = document.querySelector(`#${FORM_ID}`)!;
  for (const button of document.querySelectorAll('a.button[href="#contact-form"]')) {
    button.addEventListener('click', (event) => {
      event.preventDefault();
      // A form that is taller than the screen is not centred: its first fields would be hidden above.
      form.scrollIntoView({ block: form.clientHeight < innerHeight * 0.8 ? 'center' : 'start' });
      // The focus must not scroll: it would stop the smooth scroll, which may last longer than this delay.
      setTimeout(() => {
        // In the meantime the visitor may have focused another field of the form.
        if (form.contains(document.activeElement)) return;
        form.querySelector<HTMLInputElement>('input:not([type=hidden])')!.focus({ preventScroll: true });
      }, FOCUS_DELAY);
    });
  }

  const sky = document.querySelector<HTMLElement>('#hero > [aria-hidden]');
  if (
    sky &&
    !isSavingData() &&
    !CSS.supports('animation-timeline: scroll()') &&
    matchMedia('(prefers-reduced-motion: no-preference)').matches
  ) {
    addEventListener('scroll', () => (sky.style.transform = `translateY(${Math.min(scrollY, innerHeight) / 2}px)`));
  }
}
