// Stoic
