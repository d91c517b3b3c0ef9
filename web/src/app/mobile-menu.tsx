import { IconX } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, type ReactElement } from 'react';
import { Link } from 'react-router-dom';
import halfCourt from '../assets/half-court.svg';
import mark from '../assets/logo-mark.svg';
import { useBackCloses } from '../lib/back-closes.ts';
import { navigationLinks, type NavigationLink } from './navigation.ts';
import { paths } from './paths.ts';

/**
 * The full-screen menu of a phone. Closes on a link, on Escape and on a tap outside its links (specification section 2), and on Back; the focus goes back to
 * what opened it.
 * @param onClose a moment after it has closed, as a browser tells it: another may be open by then
 */
export const MobileMenu = ({ active, onClose }: { readonly active: NavigationLink | undefined; readonly onClose: () => void }): ReactElement => {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useCallback(() => {
    dialog.current?.close();
  }, []);
  useBackCloses(close);
  useEffect(() => {
    const element = dialog.current;
    if (!element) return undefined;
    if (!element.open) element.showModal();
    const closeOutside = (event: MouseEvent): void => {
      if (event.target instanceof Element && !event.target.closest('a, button')) close();
    };
    element.addEventListener('click', closeOutside);
    // A tablet that is turned: unseen, and open, it would keep the page from every click and key.
    const wide = window.matchMedia('(min-width: 901px)');
    wide.addEventListener('change', close);
    return () => {
      element.removeEventListener('click', closeOutside);
      wide.removeEventListener('change', close);
    };
  }, [close]);
  return (
    <dialog className="menu only-m" aria-label="Menu" ref={dialog} onClose={onClose}>
      <img className="menu__court" src={halfCourt} alt="" />
      <div className="wrap nav__in" style={{ flex: 'none', position: 'relative' }}>
        <Link className="logo" to={paths.landing.to()} onClick={close}>
          <img src={mark} alt="" width="30" height="30" />
          CourtLedger
        </Link>
        <button type="button" className="iconbtn" aria-label="Close menu" onClick={close}>
          <IconX className="i" stroke={1.75} aria-hidden="true" />
        </button>
      </div>
      <ul className="menu__links">
        {navigationLinks.map((link) => (
          <li key={link.title}>
            <Link to={link.to} onClick={close} {...(link === active && { 'aria-current': 'page' as const })}>
              <span>{link.title}</span>
            </Link>
          </li>
        ))}
      </ul>
      <div className="menu__act">
        <Link className="btn btn--p btn--lg btn--full" to={paths.upcoming.to()} onClick={close}>
          Register Your Team
        </Link>
      </div>
    </dialog>
  );
};
