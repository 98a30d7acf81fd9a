import '../styles/tokens.css';
import '../styles/base.css';
import { QUOTES_ADDRESS } from '../agreements.ts';
import { navigation } from '../content/navigation.ts';
import { tray } from '../content/quote-states.ts';
import { Island } from './island.tsx';
import { NetworkMap } from '../network/NetworkMap.tsx';
import { PhoneSettings } from '../phone/PhoneSettings.tsx';
import { Tray } from '../receipts/Tray.tsx';
import { QuoteForm } from '../form/QuoteForm.tsx';
import { Inline } from '../ui/Inline.tsx';
import { Announcement } from './sections/Announcement.tsx';
import { Benefits } from './sections/Benefits.tsx';
import { Comparison } from './sections/Comparison.tsx';
import { Footer } from './sections/Footer.tsx';
import { Hero } from './sections/Hero.tsx';
import { Navigation } from './sections/Navigation.tsx';
import { Network } from './sections/Network.tsx';
import { Process } from './sections/Process.tsx';
import { Questions } from './sections/Questions.tsx';
import { QuoteSection } from './sections/QuoteSection.tsx';
import { Services } from './sections/Services.tsx';
import { Testimonials } from './sections/Testimonials.tsx';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'quote-form': HTMLAttributes<HTMLElement> & { 'data-island': string };
    }
  }
}

export { NotFoundPage, PrivacyPage, TermsPage } from './sections/Legal.tsx';

export function Page() {
  return (
    <>
      <a className="skip" href="#contenido">
        {navigation.skip}
      </a>
      <Announcement />
      <Navigation />
      <main id="contenido">
        <a className="way" href={QUOTES_ADDRESS}>
          <span>
            <Inline text={tray.title} />
          </span>
        </a>
        <Hero />
        <Services />
        <Benefits />
        <Network>
          <Island name="network" of={NetworkMap} />
        </Network>
        <Process />
        <Comparison />
        <div id="testimonios">
          <Testimonials />
          <Questions />
        </div>
        <QuoteSection>
          <quote-form data-island="quote">
            <div />
            <QuoteForm />
          </quote-form>
        </QuoteSection>
      </main>
      <Footer>
        <Island name="phone" of={PhoneSettings} />
      </Footer>
      <p className="line" role="status" />
    </>
  );
}

/** Islands at the end of the page. They are empty until React has started in another island. */
export function LaterParts() {
  return <Island name="tray" of={Tray} />;
}
