interface Props {
  readonly svg: string;
  readonly size: number;
  /** Description for screen readers; empty if the picture only decorates its label. */
  readonly text?: string;
}

/** Shows the SVG as an image: each image is a separate document, so ids of gradients cannot collide. */
export function Picture({ svg, size, text = '' }: Props) {
  return <img src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={text} width={size} height={size} />;
}
