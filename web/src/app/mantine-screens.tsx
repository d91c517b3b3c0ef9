// Each component that a screen uses also needs its style sheet, as `@mantine/core/styles/<Component>.layer.css`, imported by that screen.
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/UnstyledButton.layer.css';
import { MantineProvider } from '@mantine/core';
import type { ReactElement } from 'react';
import { Outlet } from 'react-router-dom';
import { resolver, theme } from './theme.ts';

/** The ground of the screens made of Mantine components: the two dashboards. Public pages never load it. */
export const MantineScreens = (): ReactElement => (
  <MantineProvider theme={theme} cssVariablesResolver={resolver} forceColorScheme="dark">
    <Outlet />
  </MantineProvider>
);
