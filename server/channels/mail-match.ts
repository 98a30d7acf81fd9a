/** Quote that a mail names: by the tag in the recipient's address, the id of a mail of ours, or the subject. */
export interface Candidate {
  readonly evidence: 'tag' | 'id' | 'folio';
  readonly quote_id: string;
  readonly folio: string;
  readonly email: string | null;
  /** Id of our answer to the customer, if the mail replies to a mail about an answer; otherwise null. */
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
 * Finds the quote of a mail. The sender must have the quote's address. A tag or the id of one of our mails proves that
 * the customer wrote, because only the customer received them. Other people may know a folio, so with a folio alone the
 * provider must not report a forged address. Otherwise a colleague decides.
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
