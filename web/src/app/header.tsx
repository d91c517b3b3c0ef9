import { IconMenu2, IconSearch } from '@tabler/icons-react';
import { useCallback, useRef, useState, type ReactElement } from 'react';
import { Link, useLocation } from 'react-router-dom';
import mark from '../assets/logo-mark.svg';
import { MobileMenu } from './mobile-menu.tsx';
import { activeLink, navigationLinks } from './navigation.ts';
import { paths } from './paths.ts';
import { TournamentSearch } from './tournament-search.tsx';

/** Navigation bar: links and search, on a phone a search row and a full-screen menu. */
export const Header = (): ReactElement => {
  const { pathname } = useLocation();
  const [opened, setOpened] = useState<{ readonly what: 'menu' | 'search'; readonly at: string; readonly nth: number }>();
  const open = opened?.at === pathname ? opened : undefined;
  // What was opened on another page is closed on this one, and on that one when it comes back.
  if (opened !== open) setOpened(undefined);
  const show = (what: 'menu' | 'search'): void => {
    setOpened((last) => ({ what, at: pathname, nth: (last?.nth ?? 0) + 1 }));
  };
  const close = useCallback(() => {
    // Not what was opened since.
    setOpened((now) => (now === open ? undefined : now));
  }, [open]);
  const searchButton = useRef<HTMLButtonElement>(null);
  const active = activeLink(pathname);
  return (
    <header className="nav">
      <div className="wrap">
        <div className="nav__in">
          <Link className="logo" to={paths.landing.to()}>
            <img src={mark} alt="" width="30" height="30" />
            CourtLedger
          </Link>
          <nav className="nav__links" aria-label="Main">
            {navigationLinks.map((link) => (
              <Link key={link.title} to={link.to} {...(link === active && { 'aria-current': 'page' as const })}>
                {link.title}
              </Link>
            ))}
          </nav>
          <TournamentSearch />
          <button
            ref={searchButton}
            type="button"
            className="iconbtn only-m"
            aria-label="Search tournaments"
            aria-expanded={open?.what === 'search'}
            onClick={() => {
              if (open?.what === 'search') close();
              else show('search');
            }}
          >
            <IconSearch className="i" stroke={1.75} aria-hidden="true" />
          </button>
          <button
            type="button"
            className="iconbtn only-m"
            aria-label="Open menu"
            aria-haspopup="dialog"
            onClick={() => {
              show('menu');
            }}
          >
            <IconMenu2 className="i" stroke={1.75} aria-hidden="true" />
          </button>
        </div>
        {open?.what === 'search' && (
          <div className="searchrow only-m">
            <TournamentSearch
              focusNow
              onLeave={() => {
                close();
                // The row goes, and the field in it had the focus.
                searchButton.current?.focus();
              }}
            />
          </div>
        )}
      </div>
      {open?.what === 'menu' && <MobileMenu key={open.nth} active={active} onClose={close} />}
    </header>
  );
};
