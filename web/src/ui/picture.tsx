import { posterSource } from '@courtledger/contracts/kernel/page-head';
import { useState, type ReactElement } from 'react';
import playerPlaceholder from '../assets/player-placeholder.svg';
import posterPlaceholder from '../assets/poster-placeholder.svg';

/** A picture without a line: a browser draws a torn one where none loads. */
const nothing = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";

type PictureProps = {
  readonly src: string | undefined;
  readonly alt: string;
  readonly fallback: string;
  readonly className?: string;
  readonly eager?: boolean;
};

/** An uploaded picture, or a drawn stand-in where there is none or it does not load; where that does not load either, the plain ground. */
const Picture = ({ src, alt, fallback, className, eager = false }: PictureProps): ReactElement => {
  const [broken, setBroken] = useState<readonly string[]>([]);
  const shown = [src, fallback].find((picture) => picture && !broken.includes(picture)) ?? nothing;
  return (
    <img
      {...(className !== undefined && { className })}
      src={shown}
      alt={alt}
      decoding="async"
      loading={eager ? 'eager' : 'lazy'}
      {...(eager && { fetchPriority: 'high' as const })}
      onError={() => {
        setBroken((before) => [...before, shown]);
      }}
    />
  );
};

type PersonPhotoProps = {
  readonly image: string | undefined;
  readonly name: string;
  readonly className?: string;
  readonly eager?: boolean;
  /** The name stands beside it. */
  readonly decorative?: boolean;
};

/** A person's photo; a figure without a face where there is none. */
export const PersonPhoto = ({ image, name, className = '', eager = false, decorative = false }: PersonPhotoProps): ReactElement => (
  <Picture src={image} alt={decorative ? '' : name} fallback={playerPlaceholder} className={`photo ${className}`.trim()} eager={eager} />
);

type PosterProps = { readonly image: string | undefined; readonly name: string; readonly eager?: boolean; readonly className?: string };

/** A tournament's poster, 4 to 5; half a court where there is none. */
export const Poster = ({ image, name, eager = false, className = '' }: PosterProps): ReactElement => (
  <div className={`poster ${className}`.trim()}>
    <Picture src={posterSource(image)} alt={image ? `Poster of ${name}` : 'No poster yet'} fallback={posterPlaceholder} eager={eager} />
  </div>
);
