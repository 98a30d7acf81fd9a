import { FORM_ID } from '../../agreements.ts';
import { isSavingData } from '../../phone/saving.ts';

const FOCUS_DELAY = 800;

/** The active item follows click and scroll; 'Cotizar Ahora' brings the form to the middle and then to hand. */
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

  // A click decides until its scrolling has ended; what the page passes on the way does not.
  let clicked = 0;
  const observer = new IntersectionObserver(
    () => {
      if (performance.now() < clicked) return;
      const top = (section: Element) => section.getBoundingClientRect().top;
      let reached: Element | undefined;
      for (const section of links.keys()) {
        if (top(section) < innerHeight / 2 && (!reached || top(section) > top(reached))) reached = section;
      }
      if (reached) choose(links.get(reached));
    },
    { rootMargin: '-45% 0px -54%' },
  );
  for (const [section, link] of links) {
    observer.observe(section);
    link.addEventListener('click', () => {
      clicked = performance.now() + 1000;
      choose(link);
    });
  }

  const form = document.querySelector(`#${FORM_ID}`)!;
  for (const button of document.querySelectorAll('a.button[href="#contact-form"]')) {
    button.addEventListener('click', (event) => {
      event.preventDefault();
      // Centred, a form that is taller than the screen would hide its own beginning.
      form.scrollIntoView({ block: form.clientHeight < innerHeight * 0.8 ? 'center' : 'start' });
      // A long way may take longer than the delay: the focus must not stop it.
      setTimeout(() => {
        // The visitor may have chosen a field in the meantime.
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
