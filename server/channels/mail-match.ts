/** Quote that a mail names: by the tag in the recipient's address, the id of a mail of ours, or the subject. */
export interface Candidate {
  readonly evidence: 'tag' | 'id' | 'folio';
  readonly quote_id: string;
  readonly folio: string;
  /** E-mail of the quote. */
  readonly email: string | null;
  /** Answer to which the mail replies, if it names a mail of ours. */
  readonly answer: string | null;
}

/** Statement of the mail provider about the sender's address. 'unknown': the provider made none. */
export type Proof = 'pass' | 'fail' | 'unknown';

export interface Match {
  /** Quote to which the mail certainly belongs. */
  readonly quote?: string;
  /** Quote that a colleague may choose. */
  readonly suggested?: string;
  readonly answer?: string | undefined;
}

/**
 * Finds the quote of a mail. The sender's address must always be that of the quote. Only the customer knows tag and
 * ids, so with a tag or id the address need not be proven. Other people may know the folio, so a folio alone is enough
 * only if the provider does not report the address as forged. If a mail contradicts itself, a colleague decides.
 */
export function matchMail(sender: string, proof: Proof, candidates: readonly Candidate[]): Match {
  const secret = candidates.filter(({ evidence }) => evidence !== 'folio');
  const named = candidates.filter(({ evidence }) => evidence === 'folio');
  const isTheirs = ({ email }: Candidate) => email !== null && email === sender;
  const [first] = secret;
  if (first) {
    const { quote_id: suggested } = first;
    const isClear =
      secret.every(({ quote_id }) => quote_id === suggested) &&
      named.every(({ folio }) => folio === first.folio) &&
      isTheirs(first);
    if (!isClear) return { suggested };
    return { quote: suggested, answer: secret.find(({ answer }) => answer)?.answer ?? undefined };
  }
  const theirs = named.filter(isTheirs);
  const [only] = theirs;
  if (!only) return named[0] ? { suggested: named[0].quote_id } : {};
  const isClear = theirs.length === 1 && named.every(({ folio }) => folio === only.folio) && proof !== 'fail';
  return isClear ? { quote: only.quote_id } : { suggested: only.quote_id };
}
