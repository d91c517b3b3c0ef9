import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState, type ReactElement, type ReactNode } from 'react';
import { BrowserRouter, Link, Route, Routes } from 'react-router-dom';
import { expect, it, vi } from 'vitest';
import { listenBeforeRouter, useBackCloses } from './back-closes.ts';

const Panel = ({ onBack }: { readonly onBack: () => void }): ReactElement => {
  useBackCloses(onBack, { within: true });
  return <p>A panel</p>;
};
const Dialog = ({ onBack, children }: { readonly onBack: () => void; readonly children?: ReactNode }): ReactElement => {
  useBackCloses(onBack);
  return <dialog open>Open{children}</dialog>;
};
/** A panel that is opened where it stands: in a page, or in a dialog. */
const PanelButton = ({ told }: { readonly told: () => void }): ReactElement => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        onClick={() => {
          setOpen(true);
        }}
      >
        Open the panel
      </button>
      {open && (
        <Panel
          onBack={() => {
            told();
            setOpen(false);
          }}
        />
      )}
    </>
  );
};
const Board = ({ closes, told, children }: { readonly closes: boolean; readonly told: () => void; readonly children?: ReactNode }): ReactElement => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        onClick={() => {
          setOpen(true);
        }}
      >
        Open it
      </button>
      <button
        type="button"
        onClick={() => {
          setOpen(false);
        }}
      >
        Close it
      </button>
      {open && (
        <Dialog
          onBack={() => {
            told();
            if (closes) setOpen(false);
          }}
        >
          {children}
        </Dialog>
      )}
    </>
  );
};
/** Two pages, on the second of which a dialog is opened; how often Back (or Forward) reached it, and the pages that were shown. */
const site = async (closes: boolean, inPage?: ReactNode, inDialog?: ReactNode) => {
  window.history.replaceState(null, '', '/');
  const told = vi.fn<() => void>();
  const user = userEvent.setup();
  render(
    <BrowserRouter>
      <Routes>
        <Route path="/" element={<Link to="/board">To the board</Link>} />
        <Route
          path="/board"
          element={
            <>
              {inPage}
              <Board closes={closes} told={told}>
                {inDialog}
              </Board>
            </>
          }
        />
      </Routes>
    </BrowserRouter>,
  );
  await user.click(screen.getByRole('link', { name: 'To the board' }));
  return { user, told };
};
/** Counts what the browser tells of its history: first of all, since a step that a dialog takes is kept from whoever listens later. */
let moves = 0;
window.addEventListener('popstate', () => {
  moves += 1;
});
listenBeforeRouter();

/** Goes back, and waits until the browser has made as many moves: with a dialog open there is one more, forward again. */
const back = async (expected: number): Promise<void> => {
  const before = moves;
  act(() => {
    window.history.back();
  });
  await waitFor(() => {
    expect(moves).toBe(before + expected);
  });
};

it('closes the dialog and leaves the page and its address as they are; the next Back leaves', async () => {
  const { user, told } = await site(true);
  await user.click(screen.getByRole('button', { name: 'Open it' }));
  await back(2);
  expect(window.location.pathname).toBe('/board');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Open it' })).toBeInTheDocument();
  expect(told).toHaveBeenCalledTimes(1);
  await back(1);
  expect(await screen.findByRole('link', { name: 'To the board' })).toBeInTheDocument();
  expect(told).toHaveBeenCalledTimes(1);
});

it('leaves a dialog that does not want to close, however often Back is pressed', async () => {
  const { user, told } = await site(false);
  await user.click(screen.getByRole('button', { name: 'Open it' }));
  for (const times of [1, 2, 3]) {
    await back(2);
    expect(window.location.pathname).toBe('/board');
    expect(screen.getByRole('dialog')).toBeInTheDocument();
    expect(told).toHaveBeenCalledTimes(times);
  }
});

it('is for the dialog alone: closed otherwise, Back leaves the page', async () => {
  const { user, told } = await site(true);
  await user.click(screen.getByRole('button', { name: 'Open it' }));
  await user.click(screen.getByRole('button', { name: 'Close it' }));
  await back(1);
  expect(await screen.findByRole('link', { name: 'To the board' })).toBeInTheDocument();
  expect(told).not.toHaveBeenCalled();
});

it('closes a panel in a dialog before the dialog', async () => {
  const ofPanel = vi.fn<() => void>();
  const { user, told } = await site(true, undefined, <PanelButton told={ofPanel} />);
  await user.click(screen.getByRole('button', { name: 'Open it' }));
  await user.click(screen.getByRole('button', { name: 'Open the panel' }));
  await back(2);
  expect([ofPanel.mock.calls.length, told.mock.calls.length, screen.queryByText('A panel')]).toEqual([1, 0, null]);
  await back(2);
  expect([ofPanel.mock.calls.length, told.mock.calls.length]).toEqual([1, 1]);
});

it('leaves the page beside a panel that stands in no dialog', async () => {
  const ofPanel = vi.fn<() => void>();
  const { user } = await site(true, <PanelButton told={ofPanel} />);
  await user.click(screen.getByRole('button', { name: 'Open the panel' }));
  await back(1);
  expect(await screen.findByRole('link', { name: 'To the board' })).toBeInTheDocument();
  expect(ofPanel).not.toHaveBeenCalled();
});
