const LEAST =
  /^(assets\/)?(index|hero-globe|after-load|line|common|facts|keeper|sender|follow|rolldown-runtime|react|quote|receipt|others|TrayDialog|phone|call-back|CallBackNote|WeightHelper|Answers|answer-alerts|hear-answers|keep-asking|update|send-message|tab-draft|chargeable-weight)[-.]/;

/** Is this file one that opens the page, takes a quote, or shows where it stands? */
export const isOfTheLeast = ({ url }: { readonly url: string }): boolean => LEAST.test(url);
