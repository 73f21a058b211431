export { createListingPage } from './create-page.js';
export type { ListingPageOptions, PageDirectory, PageProvider } from './options.js';
