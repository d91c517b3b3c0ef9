import { useState, type CSSProperties, type ReactElement } from 'react';
import { monogramGround, monogramOf } from '../lib/format.rules.ts';

type CrestProps = {
  /** Decides the ground of the monogram; without it, as for a person, that is plain. */
  readonly id?: string;
  readonly name: string;
  /** Address of the logo; empty when there is none. */
  readonly logo: string | undefined;
  /** Edge in CSS pixels; without it the surrounding `--c` decides. */
  readonly size?: number;
};

/** A team's logo, or a monogram roundel where there is none or it does not load. Decorative: the name stands beside it. */
export const Crest = ({ id, name, logo, size }: CrestProps): ReactElement => {
  const [broken, setBroken] = useState<string>();
  const style = { ...(size !== undefined && { '--c': `${String(size)}px` }), ...(id !== undefined && { '--ground': monogramGround(id) }) } as CSSProperties;
  if (!logo || broken === logo) {
    return (
      <span className="mono" style={style} aria-hidden="true">
        {monogramOf(name)}
      </span>
    );
  }
  return (
    <img
      className="crest"
      style={style}
      src={logo}
      alt=""
      decoding="async"
      onError={() => {
        setBroken(logo);
      }}
    />
  );
};
