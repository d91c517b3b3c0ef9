import './styles/base.css';
import './styles/fonts.css';
import './styles/controls.css';
import './styles/shell.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { listenBeforeRouter } from '../lib/back-closes.ts';
import { keepPlace } from '../lib/kept-place.ts';
import { keepsPlace } from './paths.ts';
import { Providers } from './providers.tsx';
import { AppRoutes } from './router.tsx';

const root = document.querySelector('#root');
if (!root) throw new Error('index.html has no #root');
listenBeforeRouter();
keepPlace(keepsPlace);
createRoot(root).render(
  <StrictMode>
    <Providers>
      <AppRoutes />
    </Providers>
  </StrictMode>,
);
