import {
  Button,
  Card,
  Input,
  Modal,
  Pagination,
  Progress,
  Select,
  Skeleton,
  Table,
  Tabs,
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core';

const ball: MantineColorsTuple = ['#FFF1E6', '#FFDDC2', '#FFC08F', '#FF9F5A', '#FF9145', '#FF7A1F', '#E8630C', '#B4470B', '#7A310A', '#3A2414'];
const win: MantineColorsTuple = ['#E3F9EE', '#B4EFD1', '#8CE3B6', '#6BD8A1', '#4FCB8E', '#4FCB8E', '#2E9D69', '#23573F', '#183C2C', '#12291F'];
const loss: MantineColorsTuple = ['#FFECEA', '#FFC3BD', '#FFA79F', '#FF8A80', '#FF8A80', '#FF8A80', '#D9534A', '#7A332E', '#4F211E', '#311817'];
const gold: MantineColorsTuple = ['#FFF8E1', '#FBE3A8', '#F8D479', '#F6CB60', '#F4C34F', '#F4C34F', '#C7982B', '#6B5420', '#4D4021', '#2A2110'];
// 0 text, 2 dimmed, 3 placeholder, 4 border, 5 hover, 6 default surface, 7 body and paper, 9 page top
const dark: MantineColorsTuple = ['#F4F1EA', '#D5D9DF', '#B5BECA', '#8F9BAA', '#394452', '#222A35', '#181D25', '#12161C', '#0E1116', '#0A0C10'];

const text = '"Geist Variable", "Noto Sans Devanagari Variable", system-ui, sans-serif';
const display = '"Saira Extra Condensed", "Noto Sans Devanagari Variable", "Saira Fallback", "Saira Fallback Wide", sans-serif';

/** The look of every Mantine component: tokens of the same names stand in styles/base.css for what we draw ourselves. */
export const theme = createTheme({
  colors: { ball, win, loss, gold, dark },
  primaryColor: 'ball',
  primaryShade: 5,
  autoContrast: true,
  luminanceThreshold: 0.3,
  white: '#F4F1EA',
  black: '#1B0C02',
  fontFamily: text,
  fontSmoothing: true,
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusRing: 'auto',
  headings: {
    fontFamily: display,
    fontWeight: '700',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: 'clamp(2.875rem, 1.9rem + 3vw, 4rem)', lineHeight: '.92' },
      h2: { fontSize: 'clamp(1.875rem, 1.6rem + 1vw, 2.125rem)', lineHeight: '1' },
      h3: { fontSize: '1rem', lineHeight: '1.3', fontWeight: '600' },
    },
  },
  fontSizes: { xs: '.8125rem', sm: '.875rem', md: '.9375rem', lg: '1.0625rem', xl: '1.1875rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.5', lg: '1.5', xl: '1.6' },
  spacing: { xs: '.5rem', sm: '.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '4px', sm: '8px', md: '10px', lg: '16px', xl: '999px' },
  defaultRadius: 'md',
  breakpoints: { xs: '22.5em', sm: '40em', md: '56.3125em', lg: '73.75em', xl: '90em' },
  components: {
    Button: Button.extend({
      defaultProps: { size: 'md' },
      vars: (_t, p) => ({
        root: { '--button-height': p.size === 'lg' ? '60px' : p.size === 'sm' ? '40px' : '48px', '--button-fz': p.size === 'sm' ? '14px' : '15px' },
      }),
    }),
    Input: Input.extend({
      vars: () => ({ wrapper: { '--input-height': '48px', '--input-fz': '16px', '--input-bg': 'var(--cl-s1)', '--input-bd': 'var(--cl-control)' } }),
    }),
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'], withAsterisk: false } },
    Select: Select.extend({ defaultProps: { allowDeselect: false, checkIconPosition: 'right', maxDropdownHeight: 320 } }),
    Card: Card.extend({ defaultProps: { withBorder: true, radius: 'lg', padding: 'lg', shadow: 'none' } }),
    // Our dialogs are put together of these parts, which do not ask for the settings of the whole `Modal`.
    ModalRoot: Modal.Root.extend({
      // On a low screen the fields have the room.
      defaultProps: { radius: 'lg', yOffset: 'min(40px, 5dvh)', transitionProps: { transition: 'fade-up', duration: 180 } },
    }),
    ModalContent: Modal.Content.extend({ defaultProps: { radius: 'lg' } }),
    ModalOverlay: Modal.Overlay.extend({ defaultProps: { color: '#05070A', backgroundOpacity: 0.85 } }),
    Table: Table.extend({
      defaultProps: {
        horizontalSpacing: 'md',
        verticalSpacing: 'sm',
        highlightOnHover: true,
        highlightOnHoverColor: '#FFFFFF08',
        borderColor: 'var(--cl-line)',
        tabularNums: true,
      },
    }),
    Tabs: Tabs.extend({ defaultProps: { keepMounted: false } }),
    Skeleton: Skeleton.extend({ defaultProps: { radius: 'sm' } }),
    Progress: Progress.extend({ defaultProps: { radius: 'xs' } }),
    Pagination: Pagination.extend({ defaultProps: { radius: 'md' } }),
  },
});

/** Variables that Mantine's own names do not cover, and its dark scheme at the contrasts that were measured. */
export const resolver: CSSVariablesResolver = () => ({
  variables: {
    '--cl-court': '#0A0C10',
    '--cl-slate': '#1A212B',
    '--cl-s1': '#12161C',
    '--cl-s2': '#181D25',
    '--cl-s3': '#222A35',
    '--cl-line': '#262E39',
    '--cl-line-2': '#394452',
    '--cl-control': '#738092',
    '--cl-chalk': '#F4F1EA',
    '--cl-mute': '#B5BECA',
    '--cl-dim': '#8F9BAA',
    '--cl-ember': '#FF9F5A',
    '--cl-wood': '#3A2414',
    '--cl-silver': '#C9D1DB',
    '--cl-bronze': '#DE9A66',
    '--cl-ice': '#9DB9DA',
    '--cl-display': display,
  },
  light: {},
  dark: {
    '--mantine-color-anchor': '#FF9F5A',
    '--mantine-color-dimmed': '#B5BECA',
    '--mantine-color-placeholder': '#8F9BAA',
    '--mantine-color-error': '#FF8A80',
    '--mantine-color-success': '#4FCB8E',
    '--mantine-color-ball-filled-hover': '#FF9145',
    '--mantine-primary-color-filled-hover': '#FF9145',
    '--mantine-color-disabled': '#222A35',
    '--mantine-color-disabled-color': '#8F9BAA',
    '--mantine-color-default-border': '#394452',
  },
});
